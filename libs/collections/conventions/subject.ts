import assert from 'node:assert/strict';
import type { SharedType, Site } from '@lyceum/contracts';
import type { ReceivedResponse } from '@lyceum/testing';
import type { Collection } from '../src/collection.js';
import type { Cases, CreateOther, Json } from './cases.js';
import type { ConventionApi, Request } from './convention-api.js';
import type { DescribedOperation } from './description.js';
import { kindOf } from './operation-kind.js';
import type { Kind } from './operation-kind.js';
import { unique } from './unique.js';

/** An operation, as its route shows it: the matrix does not read the declaration. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly kind: Kind;
  /** The last segment of an action: `publish`. */
  readonly action: string;
  /** Whether the path names an object. */
  readonly one: boolean;
  readonly write: boolean;
  /** The name of its tool, if it has one. */
  readonly tool: string | undefined;
  readonly described: DescribedOperation;
}

/** An object that the matrix has made. */
export interface Made {
  readonly id: string;
  readonly parent: string;
  /** The path of the object: `/api/v1/coupons/{id}`. */
  readonly path: string;
  readonly object: Json;
  readonly etag: string;
}

export interface Call extends Pick<Request, 'body' | 'site' | 'headers'> {
  readonly method: string;
  readonly path: string;
}

/** A collection under test. */
export class Subject {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** See `memberType` of the resource. */
  readonly memberType: SharedType | undefined;
  readonly #base: string;
  readonly #singleton: boolean;
  readonly #tools: ReadonlySet<string>;
  readonly #parents = new Map<string, Promise<string>>();
  readonly #keptCalls = new Map<string, Promise<Call>>();

  constructor(
    readonly api: ConventionApi,
    readonly cases: Cases,
    collection: Pick<Collection, 'name' | 'singleton' | 'operations' | 'routes' | 'resource'>,
  ) {
    this.name = collection.name;
    this.memberType = collection.resource.memberType;
    this.#singleton = collection.singleton === true;
    this.#tools = new Set(collection.operations.filter(({ tool }) => tool !== undefined).map(({ id }) => id));
    const above = cases.parent === undefined ? '' : `/${cases.parent.collection}/{}`;
    this.#base = `/api/v1${above}/${collection.name}`;
    this.operations = collection.routes.map(({ method, path }) => this.#operation(method.toUpperCase(), path));
  }

  find(kind: Kind): Operation | undefined {
    return this.operations.find((operation) => operation.kind === kind);
  }

  /** True for a path with a parent and an object. The object of a singleton has the id of its parent. */
  get below(): boolean {
    return this.cases.parent !== undefined && !this.#singleton;
  }

  /** The id of the object that a response to the path shows. */
  idOf(shown: Json, path: string): string {
    return String(this.#singleton ? path.split('/')[4] : shown['id']);
  }

  /** Writes that change one object and may carry `If-Match`. */
  get changes(): readonly Operation[] {
    return this.operations.filter(({ kind }) => kind === 'patch' || kind === 'delete' || kind === 'action');
  }

  /** The path with the ids of an object, or of one that does not exist. */
  pathOf({ path }: Pick<Operation, 'path'>, { parent, id }: Pick<Made, 'parent' | 'id'>): string {
    const ids = this.below ? [parent, id] : [id];
    return path.replaceAll(/\{\w+\}/g, () => ids.shift() ?? id);
  }

  /** A new object in its first state. */
  async make(site: Site = this.api.sites[0]): Promise<Made> {
    // A parent has one object of a singleton.
    const parent = await (this.#singleton && this.cases.parent !== undefined
      ? this.makeParent(site)
      : this.parentAt(site));
    const list = this.#base.replace('{}', parent);
    if (this.#singleton) return this.read(list, parent, site);
    const { create, cause, row } = this.cases;
    if (create !== undefined) {
      const body = await this.bodyOf('create', '', site);
      const made = madeOf(await this.#succeed('POST', list, { site, body }), list, parent);
      return this.cases.showsOnce === true ? this.read(made.path, parent, site) : made;
    }
    if (cause !== undefined) {
      const { method, path, body } = await cause(unique(), this.#other(site), parent);
      await this.#succeed(method, path, { site, body });
      const newest = await this.#succeed('GET', `${list}?limit=1&sort=-created_at`, { site });
      return this.read(`${list}/${String((newest.body['data'] as Json[])[0]?.['id'])}`, parent, site);
    }
    assert(row !== undefined, `The cases of ${this.name} need create, cause or row`);
    const values = await row(unique(), this.#other(site), parent);
    const columns = Object.keys(values);
    const [inserted] = await this.api.query<{ id: string }>(
      `insert into ${this.table} (site_id, ${columns.join(', ')})
       values ($1, ${columns.map((_column, index) => `$${index + 2}`).join(', ')}) returning id`,
      [site.site_id, ...Object.values(values)],
    );
    return this.read(`${list}/${inserted?.id ?? ''}`, parent, site);
  }

  /** The state that the moves lead to, or undefined when no path does. */
  async makeIn(state: string, site?: Site): Promise<Made> {
    const made = await this.make(site);
    for (const action of this.#pathTo(state)) {
      await this.#succeed('POST', `${made.path}/${action}`, site === undefined ? {} : { site });
    }
    return this.read(made.path, made.parent, site);
  }

  async read(path: string, parent: string, site: Site = this.api.sites[0]): Promise<Made> {
    if (this.find('get') === undefined) return this.#readInList(path, parent, site);
    const { body: object, headers } = await this.#succeed('GET', path, { site });
    return { id: this.idOf(object, path), parent, path, object, etag: headers['etag'] ?? '' };
  }

  /** The same request each time: for requests that are refused, and for dry runs. */
  keptCall(operation: Operation): Promise<Call> {
    const call = this.#keptCalls.get(operation.name) ?? this.#newCall(operation);
    this.#keptCalls.set(operation.name, call);
    return call;
  }

  /** A request of the operation that succeeds. Each write has a new object, and changes something. */
  call(operation: Operation): Promise<Call> {
    return operation.write ? this.#newCall(operation) : this.keptCall(operation);
  }

  async #newCall(operation: Operation): Promise<Call> {
    const { method, kind, action } = operation;
    const [site] = this.api.sites;
    const made = operation.one ? await this.#madeFor(operation, site) : undefined;
    const parent = made?.parent ?? (await this.parentAt(site));
    const path = this.pathOf(operation, { parent, id: made?.id ?? unique() });
    if (kind === 'order' && made !== undefined) {
      return { method, path, site, body: this.cases.order?.(made.object), headers: { 'if-match': made.etag } };
    }
    const body = await this.bodyOf(kind, action, site);
    return { method, path, site, ...(body === undefined ? {} : { body }) };
  }

  async bodyOf(kind: Kind, action = '', site: Site = this.api.sites[0]): Promise<Json | undefined> {
    const { patch, states, bodies } = this.cases;
    if (kind === 'create') return this.#creation(site);
    if (kind === 'bulk') return { atomic: true, items: [await this.#creation(site)] };
    if (kind === 'order') return this.cases.order?.({ sections: [] });
    if (kind === 'upsert') return without((await this.#creation(site)) ?? {}, 'external_id');
    if (kind === 'patch') return typeof patch === 'function' ? patch(unique()) : patch;
    if (kind !== 'action' || states?.moves[action] !== undefined) return undefined;
    const body = bodies?.[action] ?? {};
    return typeof body === 'function' ? body(unique(), this.#other(site), await this.parentAt(site)) : body;
  }

  send({ method, path, ...request }: Call, more: Request = {}): Promise<ReceivedResponse<Record<string, unknown>>> {
    return this.api.send(method, path, {
      ...request,
      ...more,
      headers: { ...request.headers, ...more.headers },
    });
  }

  get table(): string {
    return this.cases.table ?? this.name;
  }

  /** The one parent of the objects that are made at a site. */
  parentAt(site: Site): Promise<string> {
    if (this.cases.parent === undefined) return Promise.resolve('');
    const made = this.#parents.get(site.site_id) ?? this.makeParent(site);
    this.#parents.set(site.site_id, made);
    return made;
  }

  async makeParent(site: Site): Promise<string> {
    const { parent } = this.cases;
    if (parent === undefined) throw new Error(`${this.name} has no parent`);
    const { collection, create = () => ({}), make, fill } = parent;
    const post = this.#other(site);
    const id = String((await make?.(unique(), post)) ?? (await post(`/api/v1/${collection}`, create(unique())))['id']);
    await fill?.(id, post);
    return id;
  }

  /** The tag that `If-Match` of a change names. */
  async etagOf(path: string): Promise<string> {
    const { matches } = this.cases;
    return matches === undefined
      ? (await this.read(path, '')).etag
      : ((await this.#succeed('GET', matches)).headers['etag'] ?? '');
  }

  async #creation(site: Site): Promise<Json | undefined> {
    const { create, item = create } = this.cases;
    return item?.(unique(), this.#other(site), await this.parentAt(site));
  }

  #other(site: Site): CreateOther {
    return async (path, body) => (await this.#succeed('POST', path, { site, body })).body;
  }

  async #succeed(
    method: string,
    path: string,
    request: Request = {},
  ): Promise<ReceivedResponse<Record<string, unknown>>> {
    const response = await this.api.send(method, path, request);
    assert(response.status < 300, `${method} ${path}: ${response.text}`);
    return response;
  }

  /** Reads one object from the list of a collection that has no operation for one object. */
  async #readInList(path: string, parent: string, site: Site): Promise<Made> {
    const id = path.split('/').at(-1) ?? '';
    const { body } = await this.#succeed('GET', `${this.#base.replace('{}', parent)}?limit=100`, { site });
    const object = (body['data'] as Json[]).find((one) => one['id'] === id);
    assert(object !== undefined, `${path} is not in the list`);
    return { id, parent, path, object, etag: '' };
  }

  async #madeFor({ kind, action }: Operation, site: Site): Promise<Made> {
    if (kind === 'action' && this.cases.cause !== undefined) {
      // The newest may be what is in force already: an action on it would change nothing.
      const older = await this.make(site);
      await this.make(site);
      return older;
    }
    const from = Object.entries(this.cases.states?.moves[action] ?? {}).find(([state, to]) => state !== to)?.[0];
    return kind === 'action' && from !== undefined ? this.makeIn(from, site) : this.make(site);
  }

  /** Breadth first over the moves. */
  #pathTo(state: string): readonly string[] {
    const { states } = this.cases;
    assert(states !== undefined, `The cases of ${this.name} have no states`);
    const paths: [string, readonly string[]][] = [[states.initial, []]];
    for (const [at, path] of paths) {
      if (at === state) return path;
      for (const [action, moves] of Object.entries(states.moves)) {
        const to = moves[at];
        if (to !== undefined && !paths.some(([known]) => known === to)) paths.push([to, [...path, action]]);
      }
    }
    throw new Error(`No move of ${this.name} leads to ${state}`);
  }

  #operation(method: string, path: string): Operation {
    const base = new RegExp(`^${this.#base.replace('{}', String.raw`\{\w+\}`)}`);
    const rest = path.replace(base, '').split('/').slice(1);
    const [first = '', last = ''] = this.#singleton ? ['{id}', ...rest] : rest;
    const described = this.api.description.operation(method, path);
    const { operationId } = described;
    const one = first === '{id}' || (first.startsWith('{') && first.endsWith('_id}'));
    return {
      name: `${method} ${path}`,
      method,
      path,
      kind: kindOf(method, first, last),
      action: last,
      one,
      write: method !== 'GET',
      tool: this.#tools.has(operationId)
        ? operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
        : undefined,
      described,
    };
  }
}

function madeOf(response: ReceivedResponse<Record<string, unknown>>, list: string, parent: string): Made {
  const id = String(response.body['id']);
  return { id, parent, path: `${list}/${id}`, object: response.body, etag: response.headers['etag'] ?? '' };
}

export function without(object: Json, ...members: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([member]) => !members.includes(member)));
}
