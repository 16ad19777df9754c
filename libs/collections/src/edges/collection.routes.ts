import {
  bulkBody,
  emptyBody,
  entityId,
  entityIdOf,
  listResponse,
  objectResponse,
  optionalBody,
  refuseBody,
  requireIfMatch,
  upsertBody,
  withLazy,
} from '@lyceum/rest';
import type { ApiResponse, ListQuery, Page, Route, RouteRequest, WriteResponse } from '@lyceum/rest';
import type { z } from 'zod';
import type { CollectionParts, Operation, OperationKind } from '../declaration/declared.js';
import { describeOperation } from './description.js';
import { idSchemaOf, idsOf, isCreated, isRead, writeResponse } from './edge.js';
import type { Edge } from './edge.js';
import { expand } from './expansions.js';
import type { Written } from '../declaration/requests.js';
import type { ResourceParts } from '../declaration/resource.js';
import { View } from './view.js';

/** A request, parsed by the schemas of its route. */
interface Request extends RouteRequest {
  readonly query: ListQuery & { readonly expand?: readonly string[] };
  readonly body: object | undefined;
}

const UPSERT = 'by_external_id/{external_id}';

/** The common parts of the routes of one kind of operation. */
interface Kind extends Pick<Route, 'method'> {
  readonly one: boolean;
  readonly path?: string;
  readonly query?: (resource: ResourceParts) => z.ZodObject;
  /** Schema of the body. Default: the one of the declaration. */
  readonly body?: (resource: ResourceParts, own?: z.ZodObject) => z.ZodType | undefined;
}

/** In the order of the OpenAPI document. */
export const KINDS: Record<OperationKind, Kind> = {
  list: { method: 'get', one: false, query: ({ listQuery }) => listQuery },
  get: { method: 'get', one: true, query: ({ getQuery }) => getQuery },
  create: { method: 'post', one: false, body: ({ create }) => create },
  bulk: { method: 'post', one: false, path: 'bulk', body: ({ name, create }, own = create) => bulkBody(name, own) },
  upsert: { method: 'put', one: false, path: UPSERT, body: ({ name, create }) => upsertBody(name, create) },
  update: { method: 'patch', one: true, body: ({ patch }) => patch },
  action: { method: 'post', one: true, body: (_resource, own) => own && optionalBody(own) },
  delete: { method: 'delete', one: true },
  order: { method: 'put', one: true, path: 'order' },
};

function pathOf({ name, parent }: CollectionParts, parentId: string, below: readonly string[]): string {
  const above = parent === undefined ? [] : [parent.name, parentId];
  return ['/api/v1', ...above, name, ...below].filter((part) => part !== '').join('/');
}

/** The route of an operation. */
export function routeOf(collection: CollectionParts, operation: Operation): Route {
  const { kind } = operation;
  const { resource, scopes } = collection;
  const { method, one, path: last = '', query, body } = KINDS[kind];
  const { parentId, id } = idsOf(collection);
  const below = operation.kind === 'action' ? operation.path : last;
  const path = pathOf(collection, `{${parentId}}`, [one && id !== '' ? `{${id}}` : '', below]);
  const edge = new RestEdge(collection, operation);
  const route = {
    method,
    path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    ...(one && id !== '' && resource.memberType && { parameterSchemas: { [id]: idSchemaOf(resource) } }),
    scopes: [isRead(kind) ? scopes.read : scopes.write],
    operation: describeOperation(collection, operation),
    respond: (dependencies: Edge, request: RouteRequest) => edge.respond(dependencies, request as Request),
  } satisfies Omit<Route, 'query' | 'body'>;
  return withLazy(route, {
    query: () => query?.(resource),
    body: () => (isRead(kind) ? undefined : (body?.(resource, operation.body) ?? operation.body ?? emptyBody)),
  });
}

/** Responds to the requests of one route. */
class RestEdge {
  readonly #view: View;
  /** The schema of the id in the path of an upsert, which is the schema of the member. */
  #key: z.ZodObject | undefined;
  readonly #ids: ReturnType<typeof idsOf>;
  readonly #idOf: (value: string) => string;

  constructor(
    private readonly collection: CollectionParts,
    private readonly operation: Operation,
  ) {
    this.#view = new View(operation.returns ?? collection);
    this.#ids = idsOf(collection);
    this.#idOf = entityIdOf(collection.resource.memberType);
  }

  respond(edge: Edge, request: Request): Promise<ApiResponse> {
    const { operation } = this;
    const { service, writes, bulkWrites } = edge;
    const { principal, query, body, write } = request;
    const named = this.#named(request);
    const conditions = { ifMatch: write?.ifMatch, ifNoneMatch: write?.ifNoneMatch };
    const asked = { principal, query, body, write, ...conditions, ...named };
    if (operation.kind === 'list') return this.#list(service, request, operation.run(service, asked));
    if (operation.kind === 'get') return this.#get(service, request, operation.run(service, asked));
    if (write === undefined) throw new Error(`${operation.id} is a write`);
    if (operation.kind === 'order') requireIfMatch(write);
    if (operation.kind === 'bulk') {
      return bulkWrites.run(principal, write, body, (items) => operation.run(service, { ...asked, ...items }));
    }
    return writes.run(principal, write, async (tx) => {
      const done = await operation.run(service, { ...asked, tx });
      return this.#written(done, request, named.parent_id);
    });
  }

  #written(done: Written<object>, { principal, urls, write, body }: Request, parent_id: string): WriteResponse {
    const path = pathOf(this.collection, parent_id, [String(Reflect.get(done.row, 'id'))]);
    const isNew = isCreated(done) && done.created;
    return writeResponse(this.operation, done, {
      object: this.#view.object(done.row, principal),
      headers: { ...this.#view.headers(done.row, principal), ...(isNew && { location: urls.to(path) }) },
      sent: this.operation.kind === 'upsert' ? (write?.sent ?? {}) : (body ?? {}),
    });
  }

  async #list(service: unknown, request: Request, found: Promise<Page<object>>): Promise<ApiResponse> {
    const { principal, urls, query } = request;
    const page = await found;
    const expanded = await expand(this.collection, service, principal, { rows: page.rows, names: query.expand });
    const view = (row: object): object => expanded(row, this.#view.summary(row, principal));
    return listResponse(page, query, view, urls.nextPage).with(this.#view.cache);
  }

  async #get(service: unknown, { principal, query }: Request, found: Promise<object>): Promise<ApiResponse> {
    const row = await found;
    const expanded = await expand(this.collection, service, principal, { rows: [row], names: query.expand });
    const headers = this.#view.headers(row, principal);
    return objectResponse(expanded(row, this.#view.object(row, principal)), headers, query);
  }

  /** Returns the ids in the path; for an upsert, also the members in the body. */
  #named({ parameters, body, write }: Request) {
    const valueOf = (name: string, read: (value: string) => string): string =>
      name === '' ? '' : read(parameters[name] ?? '');
    const parent_id = valueOf(this.#ids.parentId, entityId);
    const { kind } = this.operation;
    if (kind !== 'upsert') return { parent_id, id: KINDS[kind].one ? valueOf(this.#ids.id, this.#idOf) : '' };
    this.#key ??= this.collection.resource.create.pick({ external_id: true });
    const { data, error } = this.#key.safeParse({ external_id: parameters['external_id'] });
    if (error !== undefined) throw refuseBody(error);
    const sent = new Set(Object.keys(write?.sent ?? {}));
    const patch = Object.fromEntries(Object.entries(body ?? {}).filter(([member]) => sent.has(member)));
    return { parent_id, ...data, patch };
  }
}
