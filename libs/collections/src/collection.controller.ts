import type { Principal } from '@lyceum/contracts';
import { Audience, RequireScopes, principalOf } from '@lyceum/resource-server';
import {
  bulkBody,
  csvFile,
  exportQuery,
  runBulk,
  Operation,
  WriteRequest,
  emptyBody,
  entityId,
  listResponse,
  objectResponse,
  refuseBody,
  requireIfMatch,
  urlsOf,
} from '@lyceum/rest';
import type { ApiResponse, ListQuery, Page, Urls, Write } from '@lyceum/rest';
import { Body, Controller, Header, HttpCode, Query, Req, RequestMapping, RequestMethod } from '@nestjs/common';
import type { StreamableFile, Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { collectionOf } from './declaration.js';
import type { Collection, OperationDeclaration, OperationKind, OperationsClass } from './declaration.js';
import { describeOperation } from './description.js';
import { edgeClass, isRead, viewOf, writeResponse } from './edge.js';
import type { Edge, Operations } from './edge.js';
import { Expansions } from './expansions.js';
import { snake } from './names.js';
import type { Written } from './requests.js';
import type { View } from './view.js';

type Request = FastifyRequest<{ Params: Readonly<Record<string, string>> }>;

type AnyQuery = ListQuery & { readonly expand?: readonly string[] };

/** What Nest injects, in the order of the parameters below. */
type Parameters = [request: Request, write: Write | undefined, query: AnyQuery, body: object | undefined];

/** What a request brings. */
interface Asked {
  readonly principal: Principal;
  readonly urls: Urls;
  readonly write: Write | undefined;
  readonly parent_id: string;
  readonly id: string;
  readonly query: AnyQuery;
  readonly body: object | undefined;
}

type Call = (request: object) => Promise<never>;

interface Route {
  readonly method: RequestMethod;
  readonly one: boolean;
  readonly path?: string;
}

const ROUTES: Record<OperationKind, Route> = {
  // Before `get`, whose path fits theirs too.
  export: { method: RequestMethod.GET, one: false, path: 'export' },
  list: { method: RequestMethod.GET, one: false },
  get: { method: RequestMethod.GET, one: true },
  create: { method: RequestMethod.POST, one: false },
  bulk: { method: RequestMethod.POST, one: false, path: 'bulk' },
  upsert: { method: RequestMethod.PUT, one: false, path: 'by_external_id/:external_id' },
  update: { method: RequestMethod.PATCH, one: true },
  action: { method: RequestMethod.POST, one: true },
  delete: { method: RequestMethod.DELETE, one: true },
  order: { method: RequestMethod.PUT, one: true, path: 'order' },
};

const controllers = new Map<OperationsClass, Type>();

/** The REST edge of a collection: a Nest controller with one route for each operation. */
export function controllerOf(type: OperationsClass): Type {
  const known = controllers.get(type) ?? makeController(type);
  controllers.set(type, known);
  return known;
}

/** The paths of a collection, with `:name` for parameters. */
export function pathsOf({ name, parent, singleton, resource }: Collection): { base: string; id: string } {
  const above = parent === undefined ? '' : `${parent.name}/:${snake(parent.one)}_id/`;
  const id = singleton === true ? '' : parent === undefined ? ':id' : `:${snake(resource.one)}_id`;
  return { base: `api/v1/${above}${name}`, id };
}

function makeController(type: OperationsClass): Type {
  const collection = collectionOf(type);
  const CollectionController = edgeClass(type, 'Controller');
  Controller(pathsOf(collection).base)(CollectionController);
  Audience('operator')(CollectionController);
  const order = Object.keys(ROUTES);
  const operations = collection.operations.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  for (const operation of operations) addRoute(CollectionController.prototype as object, collection, operation);
  return CollectionController;
}

function addRoute(target: object, collection: Collection, operation: OperationDeclaration): void {
  const { method: name, kind } = operation;
  const { method, one, path } = ROUTES[kind];
  const { id } = pathsOf(collection);
  const reads = isRead(kind);
  const edge = new RestEdge(collection, operation);
  const descriptor: PropertyDescriptor = {
    configurable: true,
    value(this: Edge, ...parameters: Parameters): Promise<ApiResponse | StreamableFile> {
      return edge.respond(this, parameters);
    },
  };
  Object.defineProperty(target, name, descriptor);
  const decorate = (decorator: MethodDecorator): unknown => decorator(target, name, descriptor);
  const inject = (decorator: ParameterDecorator, index: number): void => decorator(target, name, index);
  const last = operation.path ?? path ?? '';
  decorate(RequestMapping({ path: [one ? id : '', last].filter(Boolean).join('/') || '/', method }));
  if (kind === 'action' || kind === 'bulk') decorate(HttpCode(200));
  if (kind === 'export') decorate(Header('cache-control', 'private, no-store'));
  decorate(RequireScopes(reads ? collection.scopes.read : collection.scopes.write));
  decorate(Operation(describeOperation(collection, operation)));
  // Each parameter with a pipe costs promises: the edge takes what needs no schema from the request.
  inject(Req(), 0);
  if (!reads) inject(WriteRequest(), 1);
  if (kind === 'list') inject(Query({ schema: collection.resource.listQuery }), 2);
  if (kind === 'export') inject(Query({ schema: exportQuery(collection.resource.listQuery) }), 2);
  if (kind === 'get') inject(Query({ schema: collection.resource.getQuery }), 2);
  if (!reads) inject(Body({ schema: bodyOf(collection, operation) }), 3);
}

function bodyOf({ resource }: Collection, { kind, body }: OperationDeclaration) {
  if (kind === 'create') return resource.create;
  if (kind === 'upsert') return resource.create.omit({ external_id: true });
  if (kind === 'update') return resource.patch;
  if (kind === 'bulk') return bulkBody(resource.name, resource.create);
  return body ?? emptyBody;
}

/** Responds to the requests of one route. */
class RestEdge {
  readonly #view: View;
  readonly #expansions: Expansions;
  /** Of an upsert: the id in the path has the limits of the member. */
  readonly #key: z.ZodObject;
  /** Names of the parameters in the path. */
  readonly #parent: string | undefined;
  readonly #id: string;

  constructor(
    private readonly collection: Collection,
    private readonly operation: OperationDeclaration,
  ) {
    const { parent, resource } = collection;
    this.#view = viewOf(collection, operation);
    this.#expansions = new Expansions(collection);
    this.#key = resource.create.pick(operation.kind === 'upsert' ? { external_id: true } : {});
    this.#parent = parent && `${snake(parent.one)}_id`;
    this.#id = ROUTES[operation.kind].one ? pathsOf(collection).id.slice(1) : '';
  }

  respond({ operations, writes }: Edge, parameters: Parameters): Promise<ApiResponse | StreamableFile> {
    const { kind, method } = this.operation;
    const asked = this.#asked(parameters);
    const { principal, urls, write, body } = asked;
    const call: Call = (request) =>
      (operations[method] as (request: object) => Promise<never>)({ ...this.#requestOf(asked), ...request });
    if (kind === 'list') return this.#list(operations, call, asked);
    if (kind === 'get') return this.#get(operations, call, asked);
    if (kind === 'export') return this.#export(call, asked.query);
    if (write === undefined) throw new Error(`${kind} is a write`);
    if (kind === 'order') requireIfMatch(write);
    const { savepoint } = writes;
    if (kind === 'bulk') return writes.run(principal, write, (tx) => runBulk(body, { ...write, tx, savepoint }, call));
    return writes.run(principal, write, async (tx) => {
      const done: Written<object> = await call({ tx });
      const created = 'created' in done && done.created === true;
      const location: Record<string, string> = created ? { location: urls.to(this.#pathOf(asked, done.row)) } : {};
      return writeResponse(this.operation, done, {
        object: this.#view.object(done.row),
        headers: { ...this.#view.headers(done.row), ...location },
        sent: kind === 'upsert' ? (write.sent ?? {}) : (body ?? {}),
      });
    });
  }

  async #list(operations: Operations, call: Call, { principal, urls, query }: Asked) {
    const page: Page<object> = await call({});
    const expanded = await this.#expansions.load(operations, principal, { rows: page.rows, names: query.expand });
    const view = (row: object): object => expanded(row, this.#view.summary(row));
    return listResponse(page, withExpansions(query), view, urls.nextPage).with(this.#view.cache);
  }

  async #get(operations: Operations, call: Call, { principal, query }: Asked) {
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

  #asked([request, write, query, body]: Parameters): Asked {
    const { params } = request;
    const of = (name: string | undefined): string => (name ? entityId(params[name] ?? '') : '');
    const id = this.operation.kind === 'upsert' ? (params['external_id'] ?? '') : of(this.#id);
    return {
      principal: principalOf(request),
      urls: urlsOf(request),
      write,
      parent_id: of(this.#parent),
      id,
      query,
      body,
    };
  }

  #requestOf({ principal, write, parent_id, id, query, body }: Asked): object {
    const { kind } = this.operation;
    const request = { principal, parent_id, query, body, ifMatch: write?.ifMatch };
    if (kind !== 'upsert') return { ...request, id };
    const { data, error } = this.#key.safeParse({ external_id: id });
    if (error !== undefined) throw refuseBody(error);
    const sent = new Set(Object.keys(write?.sent ?? {}));
    const patch = Object.fromEntries(Object.entries(body ?? {}).filter(([member]) => sent.has(member)));
    return { ...request, ...data, patch };
  }

  #pathOf({ parent_id }: Asked, row: object): string {
    const base = pathsOf(this.collection).base.replace(/:\w+/, parent_id);
    return `/${base}/${String(Reflect.get(row, 'id'))}`;
  }
}

/** Members that were expanded are shown beside those that `fields` selects. */
function withExpansions(query: AnyQuery): {
  readonly limit: number;
  readonly fields: readonly string[] | undefined;
} {
  const { fields, expand = [], limit } = query;
  return { limit, fields: fields === undefined ? undefined : [...fields, ...expand] };
}
