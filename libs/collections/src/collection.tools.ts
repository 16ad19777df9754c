import {
  READS,
  cutDescription,
  dryRun,
  operatorOf,
  requireToolMatch,
  toolEtag,
  toolIfMatch,
  toolItems,
  toolListQuery,
  toolWrite,
  toolWriteOf,
  writtenOf,
} from '@lyceum/rest';
import { ADDS, MOVES, REPLACES, WriteResponse, withDeprecation } from '@lyceum/rest';
import { Tool, itemsOf, toolPage } from '@lyceum/tools';
import type { ToolCall, ToolDeclaration } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { z } from 'zod';
import { collectionOf } from './declaration.js';
import type { Collection, OperationDeclaration, OperationsClass } from './declaration.js';
import { edgeClass, idsOf, isRead, viewOf, writeResponse } from './edge.js';
import type { Edge } from './edge.js';
import { snake } from './names.js';
import type { Written } from './requests.js';
import type { View } from './view.js';

type Input = Readonly<Record<string, unknown>> & {
  readonly first: number;
  readonly after?: string;
  readonly dry_run: boolean;
};

/** Characters of a long text that a tool shows: at three bytes each they leave room in the 60 KB of a result. */
const SHOWN = 10_000;

/** Operations whose tools begin with their kind. */
const VERBS: ReadonlySet<string> = new Set(['list', 'get', 'create', 'update', 'delete']);

/** The tools of a collection: one for each operation that says when a model should use it. */
export function toolsOf(type: OperationsClass): Type {
  const collection = withToolMembers(collectionOf(type));
  const CollectionTools = edgeClass(type, 'Tools');
  Injectable()(CollectionTools);
  for (const operation of collection.operations) addTool(CollectionTools.prototype as object, collection, operation);
  return CollectionTools;
}

function withToolMembers(collection: Collection): Collection {
  const { resource, view, toolMembers = {} } = collection;
  const members = Object.entries(toolMembers);
  const schemas = Object.fromEntries(members.map(([name, { schema }]) => [name, schema]));
  const object = resource.object.extend(schemas);
  return {
    ...collection,
    resource: { ...resource, object, summary: resource.summary.extend(schemas) },
    view: { ...view, ...Object.fromEntries(members.map(([name, { of }]) => [name, of])) },
  };
}

function addTool(target: object, collection: Collection, operation: OperationDeclaration): void {
  const { kind, method, id, summary, deprecated, tool, existing } = operation;
  if (tool === undefined) return;
  const name = snake(id);
  // A creation that may find its object is named by an action: `record_progress`. Others name what a person gets.
  if (VERBS.has(kind) && existing === undefined && !name.startsWith(`${kind}_`) && !/^(?:invite|grant)_/.test(name))
    throw new Error(`${name}: its name must begin with ${kind}_`);
  const edge = new ToolEdge(name, collection, operation);
  const descriptor: PropertyDescriptor = {
    configurable: true,
    value(this: Edge, call: ToolCall<Input>): Promise<unknown> {
      return edge.respond(this, call);
    },
  };
  Object.defineProperty(target, method, descriptor);
  Tool({
    name,
    title: summary,
    description: withDeprecation(tool.description, deprecated),
    core: tool.core ?? false,
    audience: 'operator',
    scopes: edge.scopes,
    input: edge.input,
    output: edge.output,
    annotations: hintsOf(operation),
  })(target, method, descriptor);
}

function hintsOf({ kind, ends, creates, existing }: OperationDeclaration): ToolDeclaration['annotations'] {
  if (isRead(kind)) return READS;
  if (kind === 'create' || creates === true) return existing === undefined ? ADDS : MOVES;
  return kind === 'action' && ends !== true ? MOVES : REPLACES;
}

/** Answers the calls of one tool. */
class ToolEdge {
  readonly #view: View;
  readonly #long: readonly string[];
  readonly #object: z.ZodObject;
  readonly #ids: ReturnType<typeof idsOf>;
  readonly #member: string;
  readonly #tagged: boolean;

  constructor(
    private readonly name: string,
    private readonly collection: Collection,
    private readonly operation: OperationDeclaration,
  ) {
    const shown = operation.returns?.resource ?? collection.resource;
    this.#view = viewOf(collection, operation);
    this.#long = shown.details.filter((member) => member.endsWith('_html'));
    this.#tagged = collection.operations.some(({ kind }) => kind === 'order');
    const object = detailsOf(shown.object, this.#long, Object.keys(shown.expand));
    this.#object = this.#tagged ? object.extend({ etag: toolEtag }) : object;
    this.#ids = idsOf(collection);
    this.#member = snake(shown.one);
  }

  get scopes(): ToolDeclaration['scopes'] {
    const { read, write } = this.collection.scopes;
    return [isRead(this.operation.kind) ? read : write];
  }

  get input(): z.ZodObject {
    const { resource, parent: above } = this.collection;
    const { kind, body, tool } = this.operation;
    const patch = this.#closed(resource.patch);
    const required = (tool?.required ?? []).map((member) => [member, z.nonoptional(patch[member] as z.ZodType)]);
    const parent = uuid(this.#ids.parentId, above?.name);
    const id = uuid(this.#ids.id, resource.one);
    switch (kind) {
      case 'list':
        return z.object({ ...parent, ...resource.toolFilters, ...toolPage });
      case 'get':
        return z.object({ ...parent, ...id });
      case 'create':
        return z.object({ ...parent, ...this.#closed(resource.create), ...toolWrite });
      case 'update':
        return z.object({ ...parent, ...id, ...patch, ...Object.fromEntries(required), ...toolWrite });
      case 'order':
        return z.object({ ...parent, ...id, ...body?.shape, if_match: toolIfMatch, ...toolWrite });
      case 'action':
      case 'delete':
        return z.object({ ...parent, ...id, ...body?.shape, ...toolWrite });
      default:
        throw new Error(`${this.name}: a tool cannot have the operation ${kind}`);
    }
  }

  get output(): z.ZodObject {
    const { kind } = this.operation;
    if (kind === 'list') return itemsOf(this.#item);
    if (kind === 'get') return this.#object;
    const written = writtenOf(this.#object);
    return z.object({ dry_run: dryRun, [this.#member]: kind === 'delete' ? written.describe('As it was') : written });
  }

  get #item(): z.ZodObject {
    const { resource, toolItem = [] } = this.collection;
    if (toolItem.length === 0) {
      throw new Error(`${this.name}: its collection must declare toolItem, the members that an item of the list shows`);
    }
    return z.object(pick(resource.summary.shape, toolItem));
  }

  async respond({ operations, writes }: Edge, call: ToolCall<Input>): Promise<unknown> {
    const { kind, method } = this.operation;
    const principal = operatorOf(call);
    const run = (request: object): Promise<never> =>
      (operations[method] as (request: object) => Promise<never>)({ principal, ...request });
    if (kind === 'list') {
      const { parent_id, body } = this.#split(call.input);
      const query = toolListQuery(body as Input, this.collection.resource.defaultSort);
      return toolItems(run({ parent_id, query }), (row: object) => this.#view.summary(row));
    }
    if (kind === 'get') return this.#show(await run(this.#split(call.input)));
    const { write, asked } = toolWriteOf({ tool: this.name, scopes: this.scopes as readonly string[] }, call);
    if (kind === 'order') requireToolMatch(write);
    const { body, ...key } = this.#split(asked);
    const response = await writes.run(principal, write, async (tx) => {
      const done: Written<object> = await run({ ...key, body, write, ifMatch: write.ifMatch, tx });
      const object = this.#show(done.row);
      if (kind === 'delete') return WriteResponse.of(object, {}, { sent: {}, changed: true });
      return writeResponse(this.operation, done, { object, headers: {}, sent: body });
    });
    return { dry_run: write.dryRun, [this.#member]: response.body };
  }

  /** Removes records, because the strict mode of some models has no objects with arbitrary members. */
  #closed({ shape }: z.ZodObject): z.ZodRawShape {
    const { records } = this.collection.resource;
    return Object.fromEntries(Object.entries(shape as z.ZodRawShape).filter(([name]) => !records.includes(name)));
  }

  /** The arguments that name an object, and the rest. */
  #split(input: Readonly<Record<string, unknown>>): {
    parent_id: unknown;
    id: unknown;
    body: object;
  } {
    const { [this.#ids.parentId]: parent_id = '', [this.#ids.id]: id, ...body } = input;
    return { parent_id, id, body };
  }

  /** Long texts are cut, so that a result is never too long for a model. */
  #show(row: object): object {
    const shown = this.#view.object(row);
    if (this.#tagged) shown['etag'] = this.#view.headers(row)['etag'];
    for (const member of this.#long) {
      const text = shown[member] as string | null;
      shown[member] = text === null ? null : cutDescription(text, SHOWN);
      shown[truncatedName(member)] = text !== null && text.length > SHOWN;
    }
    return shown;
  }
}

function detailsOf(object: z.ZodObject, long: readonly string[], expanded: readonly string[]): z.ZodObject {
  const members = Object.entries(object.shape as z.ZodRawShape).filter(([name]) => !expanded.includes(name));
  const cut = long.map((member) => [truncatedName(member), z.boolean().describe(`${member} is truncated`)]);
  return z.object(Object.fromEntries([...members, ...cut]) as z.ZodRawShape);
}

const truncatedName = (member: string): string => member.replace(/_html$/, '_truncated');

/** Returns the argument for the id, if the path has one. */
function uuid(argument: string, one: string | undefined): z.ZodRawShape {
  if (argument === '') return {};
  const named = argument === 'id' ? one : argument.replace(/_id$/, '').replaceAll('_', ' ');
  return { [argument]: z.uuid().toLowerCase().describe(`Id of the ${named}`) };
}

function pick(shape: z.ZodRawShape, names: readonly string[]): z.ZodRawShape {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name)));
}
