import {
  ADDITIVE,
  DESTRUCTIVE,
  IDEMPOTENT,
  READS,
  WriteResponse,
  copyOf,
  cutDescription,
  dryRun,
  idIn,
  operatorOf,
  requireToolMatch,
  toolEtag,
  toolIfMatch,
  toolItems,
  toolListQuery,
  toolOptionalMatch,
  toolWrite,
  toolWriteOf,
  withDeprecation,
  withLazy,
  writtenOf,
} from '@lyceum/rest';
import { itemsOf, pairsOf, toolPage } from '@lyceum/tools';
import type { ToolCall, ToolDeclaration } from '@lyceum/tools';
import { z } from 'zod';
import type { Reader } from '../declaration/declaration.js';
import type { CollectionParts, Operation } from '../declaration/declared.js';
import { idSchemaOf, idsOf, isRead, writeResponse } from './edge.js';
import type { Edge } from './edge.js';
import { snake } from '../declaration/names.js';
import { withoutExpansions } from '../declaration/resource.js';
import { View } from './view.js';

type Input = Readonly<Record<string, unknown>> & {
  readonly first: number;
  readonly after?: string;
  readonly dry_run: boolean;
};

/** Characters of a long text that a tool shows: at three bytes each they leave room in the 60 KB of a result. */
const SHOWN = 10_000;

/** Operations whose tools begin with their kind. */
const VERBS: ReadonlySet<string> = new Set(['list', 'get', 'create', 'update', 'delete']);

type ToolOperation = Exclude<Operation, { readonly kind: 'bulk' | 'upsert' }>;

/** A tool of a collection. */
export interface CollectionTool {
  readonly declaration: ToolDeclaration;
  readonly respond: (edge: Edge, call: ToolCall<Input>) => Promise<unknown>;
}

/** The collection as its tools show it. */
export function withToolMembers(collection: CollectionParts): CollectionParts {
  const { resource, view, toolMembers } = collection;
  if (toolMembers === undefined) return collection;
  const members = Object.entries(toolMembers);
  const schemas = Object.fromEntries(members.map(([name, { schema }]) => [name, schema]));
  const object = resource.object.extend(schemas);
  return {
    ...collection,
    resource: copyOf(resource, { object, summary: resource.summary.extend(schemas) }),
    view: { ...view, ...Object.fromEntries(members.map(([name, { of }]) => [name, of])) },
  };
}

/** The tool of an operation that says when a model should use it. */
export function toolOf(collection: CollectionParts, operation: Operation): CollectionTool | undefined {
  const { kind, id, summary, deprecated, tool, existing } = operation;
  if (tool === undefined) return undefined;
  const name = snake(id);
  // A creation that may find its object is named by an action: `record_progress`. Others name what a person gets.
  if (VERBS.has(kind) && existing === undefined && !name.startsWith(`${kind}_`) && !/^(?:invite|grant)_/.test(name))
    throw new Error(`${name}: its name must begin with ${kind}_`);
  if (operation.kind === 'bulk' || operation.kind === 'upsert') {
    throw new Error(`${name}: a tool cannot have the operation ${kind}`);
  }
  const edge = new ToolEdge(name, collection, operation);
  const declaration = {
    name,
    title: summary,
    description: withDeprecation(tool.description, deprecated),
    core: tool.core ?? false,
    audience: 'operator' as const,
    scopes: edge.scopes,
    annotations: hintsOf(operation),
  };
  return {
    declaration: withLazy(declaration, { input: () => edge.makeInput(), output: () => edge.makeOutput() }),
    respond: (dependencies, call) => edge.respond(dependencies, call),
  };
}

function hintsOf({ kind, ends, creates, repeats, existing }: Operation): ToolDeclaration['annotations'] {
  if (isRead(kind)) return READS;
  if (repeats === true) return ADDITIVE;
  if (kind === 'create' || creates === true) return existing === undefined ? ADDITIVE : IDEMPOTENT;
  return kind === 'action' && ends !== true ? IDEMPOTENT : DESTRUCTIVE;
}

/** Answers the calls of one tool. */
class ToolEdge {
  readonly #view: View;
  readonly #long: readonly string[];
  readonly #ids: ReturnType<typeof idsOf>;
  readonly #member: string;
  readonly #tagged: boolean;
  /** Defaults of the records of a creation, which the arguments lack. */
  readonly #made = withLazy({}, { defaults: () => recordDefaults(this.operation, this.collection.resource) });

  constructor(
    private readonly name: string,
    private readonly collection: CollectionParts,
    private readonly operation: ToolOperation,
  ) {
    const shown = operation.returns?.resource ?? collection.resource;
    this.#view = new View(operation.returns ?? collection);
    this.#long = shown.details.filter((member) => member.endsWith('_html'));
    this.#tagged = (operation.returns ?? collection).etag !== undefined;
    this.#ids = idsOf(collection);
    this.#member = snake(shown.one);
    if (operation.kind === 'list' && (collection.toolItem ?? []).length === 0)
      throw new Error(`${name}: its collection must declare toolItem, the members that an item of the list shows`);
  }

  get scopes(): ToolDeclaration['scopes'] {
    const { read, write } = this.collection.scopes;
    return [isRead(this.operation.kind) ? read : write];
  }

  makeInput(): z.ZodObject {
    const { resource, parent: above, etag } = this.collection;
    const { kind, body, tool } = this.operation;
    const patch = this.#closed(resource.patch);
    const required = (tool?.required ?? []).map((member) => [member, z.nonoptional(patch[member] as z.ZodType)]);
    const parent = idArgument(this.#ids.parentId, above?.name, idIn);
    const id = idArgument(this.#ids.id, resource.one, idSchemaOf(resource));
    const match = etag === undefined ? {} : { if_match: toolOptionalMatch };
    switch (kind) {
      case 'list':
        return z.object({ ...parent, ...resource.toolFilters, ...toolPage });
      case 'get':
        return z.object({ ...parent, ...id });
      case 'create':
        return z.object({ ...parent, ...this.#closed(resource.create), ...toolWrite });
      case 'update':
        return z.object({ ...parent, ...id, ...patch, ...Object.fromEntries(required), ...match, ...toolWrite });
      case 'order':
        return z.object({ ...parent, ...id, ...body?.shape, if_match: toolIfMatch, ...toolWrite });
      case 'action':
      case 'delete':
        return z.object({ ...parent, ...id, ...body?.shape, ...match, ...toolWrite });
    }
  }

  makeOutput(): z.ZodObject {
    const { kind, returns } = this.operation;
    const { resource, toolItem = [] } = this.collection;
    if (kind === 'list') return itemsOf(z.object(pick(resource.summary.shape, toolItem)));
    const object = detailsOf(withoutExpansions(returns?.resource ?? resource), this.#long);
    const shown = this.#tagged ? object.extend({ etag: toolEtag }) : object;
    if (kind === 'get') return shown;
    const written = writtenOf(shown);
    return z.object({ dry_run: dryRun, [this.#member]: kind === 'delete' ? written.describe('As it was') : written });
  }

  async respond({ service, writes }: Edge, call: ToolCall<Input>): Promise<unknown> {
    const { operation } = this;
    const principal = operatorOf(call);
    if (operation.kind === 'list') {
      const { parent_id, body } = this.#split(call.input);
      const query = toolListQuery(body as Input, this.collection.resource.defaultSort);
      const page = operation.run(service, { principal, parent_id, query });
      return toolItems(page, (row: object) => this.#view.summary(row, principal));
    }
    if (operation.kind === 'get') {
      return this.#show(await operation.run(service, { principal, ...this.#split(call.input) }), principal);
    }
    const { write, asked } = toolWriteOf({ tool: this.name, scopes: this.scopes as readonly string[] }, call);
    if (operation.kind === 'order') requireToolMatch(write);
    const { body: sent, ...key } = this.#split(asked);
    const body = { ...this.#made.defaults, ...sent };
    const response = await writes.run(principal, write, async (tx) => {
      const done = await operation.run(service, { principal, ...key, body, write, ifMatch: write.ifMatch, tx });
      const object = this.#show(done.row, principal);
      if (operation.kind === 'delete') return WriteResponse.of(object, {}, { sent: {}, changed: true });
      return writeResponse(operation, done, { object, headers: {}, sent: body });
    });
    return { dry_run: write.dryRun, [this.#member]: response.body };
  }

  /** Writes records as lists of pairs. */
  #closed(schema: z.ZodObject): z.ZodRawShape {
    const { records, patch } = this.collection.resource;
    const pairs = records
      .filter((name) => name in schema.shape)
      .map((name) => [name, pairsOf(schema.shape[name] as z.ZodType, { removes: schema === patch })]);
    return { ...schema.shape, ...Object.fromEntries(pairs) } as z.ZodRawShape;
  }

  /** The arguments that name an object, and the rest. */
  #split(input: Readonly<Record<string, unknown>>): { parent_id: unknown; id: unknown; body: object } {
    const { [this.#ids.parentId]: parent_id = '', [this.#ids.id]: id, ...body } = input;
    return { parent_id, id, body };
  }

  /** Long texts are cut, so that a result is never too long for a model. */
  #show(row: object, reader: Reader): object {
    const shown = this.#view.object(row, reader);
    if (this.#tagged) shown['etag'] = this.#view.headers(row, reader)['etag'];
    for (const member of this.#long) {
      const text = shown[member] as string | null;
      shown[member] = text === null ? null : cutDescription(text, SHOWN);
      shown[truncatedName(member)] = text !== null && text.length > SHOWN;
    }
    return shown;
  }
}

function detailsOf(object: z.ZodObject, long: readonly string[]): z.ZodObject {
  const cut = long.map((member) => [truncatedName(member), z.boolean().describe(`${member} is truncated`)]);
  return object.extend(Object.fromEntries(cut) as z.ZodRawShape);
}

const truncatedName = (member: string): string => member.replace(/_html$/, '_truncated');

/** Returns the argument for the id, if the path has one. */
function idArgument(argument: string, one: string | undefined, schema: z.ZodType): z.ZodRawShape {
  if (argument === '') return {};
  const named = argument === 'id' ? one : argument.replace(/_id$/, '').replaceAll('_', ' ');
  return { [argument]: schema.describe(`Id of the ${named}`) };
}

function recordDefaults({ kind }: Operation, { create, records }: CollectionParts['resource']): object {
  if (kind !== 'create') return {};
  const parsed = Object.entries(pick(create.shape, records)).map(
    ([name, schema]) => [name, z.safeParse(schema, undefined).data] as const,
  );
  return Object.fromEntries(parsed.filter(([, value]) => value !== undefined));
}

function pick(shape: z.ZodRawShape, names: readonly string[]): z.ZodRawShape {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name)));
}
