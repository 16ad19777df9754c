import {
  Routes,
  bulkBody,
  csvFile,
  emptyBody,
  entityId,
  exportQuery,
  listResponse,
  objectResponse,
  optionalBody,
  refuseBody,
  requireIfMatch,
  upsertBody,
} from '@lyceum/rest';
import type { ApiResponse, ListQuery, Page, Route, RouteRequest } from '@lyceum/rest';
import { Controller } from '@nestjs/common';
import type { StreamableFile, Type } from '@nestjs/common';
import type { z } from 'zod';
import { collectionOf } from './declaration.js';
import type { Collection, OperationDeclaration, OperationKind, OperationsClass } from './declaration.js';
import { describeOperation } from './description.js';
import { edgeClass, idsOf, isRead, viewOf, writeResponse } from './edge.js';
import type { Edge, Operations } from './edge.js';
import { Expansions } from './expansions.js';
import type { Written } from './requests.js';
import type { ResourceParts } from './resource.js';
import type { View } from './view.js';

/** A request, parsed by the schemas of its route. */
interface Request extends RouteRequest {
  readonly query: ListQuery & { readonly expand?: readonly string[] };
  readonly body: object | undefined;
}

type Call = (more: object) => Promise<never>;

const UPSERT = 'by_external_id/{external_id}';

/** The common parts of the routes of one kind of operation. */
interface Kind extends Pick<Route, 'method'> {
  readonly one: boolean;
  readonly path?: string;
  readonly query?: (resource: ResourceParts) => z.ZodObject;
  /** Schema of the body. Default: the one of the declaration. */
  readonly body?: (resource: ResourceParts, own?: z.ZodObject) => z.ZodType | undefined;
}

const KINDS: Record<OperationKind, Kind> = {
  export: { method: 'get', one: false, path: 'export', query: ({ listQuery }) => exportQuery(listQuery) },
  list: { method: 'get', one: false, query: ({ listQuery }) => listQuery },
  get: { method: 'get', one: true, query: ({ getQuery }) => getQuery },
  create: { method: 'post', one: false, body: ({ create }) => create },
  bulk: { method: 'post', one: false, path: 'bulk', body: ({ name, create }, own) => bulkBody(name, own ?? create) },
  upsert: { method: 'put', one: false, path: UPSERT, body: ({ name, create }) => upsertBody(name, create) },
  update: { method: 'patch', one: true, body: ({ patch }) => patch },
  action: { method: 'post', one: true, body: (_resource, own) => own && optionalBody(own) },
  delete: { method: 'delete', one: true },
  order: { method: 'put', one: true, path: 'order' },
};

const controllers = new Map<OperationsClass, Type>();

/** The REST edge of a collection: a controller with one route for each operation. */
export function controllerOf(type: OperationsClass): Type {
  const known = controllers.get(type) ?? makeController(type);
  controllers.set(type, known);
  return known;
}

function makeController(type: OperationsClass): Type {
  const collection = collectionOf(type);
  const CollectionController = edgeClass(type, 'Controller');
  const order = Object.keys(KINDS);
  const operations = collection.operations.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  Routes(operations.map((operation) => routeOf(collection, operation)))(CollectionController);
  Controller()(CollectionController);
  return CollectionController;
}

function pathOf({ name, parent }: Collection, parentId: string, below: readonly string[]): string {
  const above = parent === undefined ? [] : [parent.name, parentId];
  return ['/api/v1', ...above, name, ...below].filter((part) => part !== '').join('/');
}

function routeOf(collection: Collection, operation: OperationDeclaration): Route {
  const { kind } = operation;
  const { resource, scopes } = collection;
  const { method, one, path: last = '', query, body } = KINDS[kind];
  const { parentId, id } = idsOf(collection);
  const path = pathOf(collection, `{${parentId}}`, [one && id !== '' ? `{${id}}` : '', operation.path ?? last]);
  const edge = new RestEdge(collection, operation);
  return {
    method,
    path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    scopes: [isRead(kind) ? scopes.read : scopes.write],
    query: query?.(resource),
    body: isRead(kind) ? undefined : (body?.(resource, operation.body) ?? operation.body ?? emptyBody),
    operation: describeOperation(collection, operation),
    respond: (controller: Edge, request) => edge.respond(controller, request as Request),
  };
}

/** Responds to the requests of one route. */
class RestEdge {
  readonly #view: View;
  readonly #expansions: Expansions;
  /** Returns the schema of the id in the path of an upsert, which is the schema of the member. */
  readonly #key: z.ZodObject;
  readonly #parentId: string;
  readonly #id: string;

  constructor(
    private readonly collection: Collection,
    private readonly operation: OperationDeclaration,
  ) {
    const { kind } = operation;
    const { parentId, id } = idsOf(collection);
    this.#view = viewOf(collection, operation);
    this.#expansions = new Expansions(collection);
    this.#key = collection.resource.create.pick(kind === 'upsert' ? { external_id: true } : {});
    this.#parentId = parentId;
    this.#id = KINDS[kind].one ? id : '';
  }

  respond({ operations, writes, bulkWrites }: Edge, request: Request): Promise<ApiResponse | StreamableFile> {
    const { kind, method } = this.operation;
    const { principal, urls, write, query, body } = request;
    const named = this.#named(request);
    const asked = { principal, query, body, write, ifMatch: write?.ifMatch, ...named };
    const call: Call = (more) => (operations[method] as Call)({ ...asked, ...more });
    if (kind === 'list') return this.#list(operations, call, request);
    if (kind === 'get') return this.#get(operations, call, request);
    if (kind === 'export') return this.#export(call, query);
    if (write === undefined) throw new Error(`${kind} is a write`);
    if (kind === 'order') requireIfMatch(write);
    const work = this.operation.body === undefined ? { each: call } : { all: call };
    if (kind === 'bulk') return bulkWrites.run(principal, write, body, work);
    return writes.run(principal, write, async (tx) => {
      const done: Written<object> = await call({ tx });
      const path = pathOf(this.collection, named.parent_id, [String(Reflect.get(done.row, 'id'))]);
      const isNew = 'created' in done && done.created === true;
      return writeResponse(this.operation, done, {
        object: this.#view.object(done.row),
        headers: { ...this.#view.headers(done.row), ...(isNew && { location: urls.to(path) }) },
        sent: kind === 'upsert' ? (write.sent ?? {}) : (body ?? {}),
      });
    });
  }

  async #list(operations: Operations, call: Call, { principal, urls, query }: Request): Promise<ApiResponse> {
    const page: Page<object> = await call({});
    const expanded = await this.#expansions.load(operations, principal, { rows: page.rows, names: query.expand });
    const view = (row: object): object => expanded(row, this.#view.summary(row));
    return listResponse(page, withExpansions(query), view, urls.nextPage).with(this.#view.cache);
  }

  async #get(operations: Operations, call: Call, { principal, query }: Request): Promise<ApiResponse> {
    const row: object = await call({});
    const expanded = await this.#expansions.load(operations, principal, { rows: [row], names: query.expand });
    const headers = query.expand === undefined ? this.#view.headers(row) : this.#view.cache;
    return objectResponse(expanded(row, this.#view.object(row)), headers, withExpansions(query).fields);
  }

  #export(call: Call, asked: ListQuery): Promise<StreamableFile> {
    const file = { name: this.collection.name.replaceAll('/', '-'), columns: this.#view.columns };
    return csvFile<object>(
      file,
      asked,
      (query) => call({ query }),
      (row) => this.#view.summary(row),
    );
  }

  /** Returns the ids in the path; for an upsert, also the members in the body. */
  #named({ parameters, body, write }: Request) {
    const idOf = (name: string): string => (name === '' ? '' : entityId(parameters[name] ?? ''));
    const parent_id = idOf(this.#parentId);
    if (this.operation.kind !== 'upsert') return { parent_id, id: idOf(this.#id) };
    const { data, error } = this.#key.safeParse({ external_id: parameters['external_id'] });
    if (error !== undefined) throw refuseBody(error);
    const sent = new Set(Object.keys(write?.sent ?? {}));
    const patch = Object.fromEntries(Object.entries(body ?? {}).filter(([member]) => sent.has(member)));
    return { parent_id, ...data, patch };
  }
}

/** Members that were expanded are shown beside those that `fields` selects. */
function withExpansions(query: Request['query']): Pick<ListQuery, 'limit' | 'fields'> {
  const { fields, expand } = query;
  return fields === undefined || expand === undefined ? query : { ...query, fields: [...fields, ...expand] };
}
