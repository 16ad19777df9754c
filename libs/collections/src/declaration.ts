import 'reflect-metadata';
import { readScopeOf } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import type { ApiError } from '@lyceum/errors';
import type { OperationDescription, Page } from '@lyceum/rest';
import type { z } from 'zod';
import { snake } from './names.js';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ExpandRequest,
  ListRequest,
  ObjectRequest,
  OfParent,
  UpsertRequest,
  Written,
} from './requests.js';
import type { ResourceParts } from './resource.js';

const COLLECTION = Symbol('lyceum:collection');
const OPERATIONS = Symbol('lyceum:collection-operations');
const EXPANSIONS = Symbol('lyceum:collection-expansions');

/** How rows become the objects of a resource in responses. */
export interface Representation<Row> {
  readonly resource: ResourceParts;
  /** Members that are no column of the same name. */
  readonly view?: Readonly<Record<string, (row: Row) => unknown>>;
  /** The entity tag: `rowTag(version, …counters)`. Without it, GET has a hash of the body. */
  readonly etag?: (row: Row) => string;
  /** Personal data is stored in no cache. */
  readonly personal?: boolean;
}

/** Everything that the operations of a collection share. */
export interface CollectionDeclaration<Row> extends Representation<Row> {
  /** The last segment of the path: `membership_plans`. */
  readonly name: string;
  /** Prefix of the scopes `<scope>:read`, if it exists, and `<scope>:write`; also the OpenAPI tag. Default: `name`. */
  readonly scope?: string;
  /** True when writes need the read scope only, because they change no object of the scope. */
  readonly writesByReaders?: boolean;
  /** Describes the tag. A collection of a tag that another one describes leaves it out. */
  readonly description?: string;
  /** The collection whose objects it is below: `students/{student_id}/enrollments`. */
  readonly parent?: { readonly name: string; readonly one: string };
  /** One object for each site, without ids and lists: `appearance`. */
  readonly singleton?: boolean;
  /** Members of an item in the list of a tool, which requires them: all members would be too much for a model. */
  readonly toolItem?: readonly string[];
  /** Members that only tools show, or show in another way: fifty files would be too much as well. */
  readonly toolMembers?: Readonly<Record<string, { readonly schema: z.ZodType; readonly of: (row: Row) => unknown }>>;
}

type Described = 'summary' | 'description' | 'problems' | 'deprecated';

/** Words and details that any operation may have. */
export interface OperationOptions extends Pick<OperationDescription, Described> {
  /** The description of the successful response. */
  readonly response?: string;
  /** An operation with it is a tool as well, named as the operation is, in snake_case. */
  readonly tool?: {
    /** One precise sentence, then when to use it. */
    readonly description: string;
    /** See `ToolDeclaration.core`. */
    readonly core?: boolean;
    /** Members of a patch that a call cannot leave out. */
    readonly required?: readonly string[];
  };
}

interface CreateOptions extends OperationOptions {
  /** The response when the object exists already. */
  readonly existing?: string;
  /** Members of the body that name an object that exists: a caller without the read scope sees these of it. */
  readonly knownBy?: readonly string[];
}

interface ActionOptions extends OperationOptions {
  /** True if the action ends something, so clients ask people before they call the tool. */
  readonly ends?: boolean;
  /** The action creates a new object each time, and returns it. */
  readonly creates?: boolean;
  readonly body?: z.ZodObject;
  /** The object that the action answers with, where it is not of the collection. */
  readonly returns?: Representation<never>;
}

export type OperationKind =
  'list' | 'get' | 'create' | 'update' | 'action' | 'delete' | 'upsert' | 'bulk' | 'export' | 'order';

export interface OperationDeclaration extends CreateOptions, ActionOptions {
  readonly kind: OperationKind;
  /** `operationId`. */
  readonly id: string;
  /** The method of the class. */
  readonly method: string;
  /** The last segment of the path of an action. */
  readonly path?: string;
}

export interface Collection<Row = never> extends CollectionDeclaration<Row> {
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  readonly operations: readonly OperationDeclaration[];
  /** Methods by the member that they load. */
  readonly expansions: Readonly<Record<string, string>>;
}

/** Accepts methods whose parameter and result fit the operation. */
type MethodOf<F> = <M extends F>(target: object, method: string, descriptor: TypedPropertyDescriptor<M>) => void;

/** Operations of a collection, whose methods return rows. Routes, OpenAPI entries and tools derive from them. */
export function Collection<Row extends object>(declaration: CollectionDeclaration<Row>): ClassDecorator {
  return (target) => Reflect.defineMetadata(COLLECTION, declaration, target);
}

/** A decorator for the methods of one kind of operation. Its parameters are the id, and what the document says. */
function operation<F, Options extends OperationOptions = OperationOptions>(kind: OperationKind) {
  return (id: string, options: Options): MethodOf<F> => declare({ ...options, id, kind });
}

function declare<F>(declared: Omit<OperationDeclaration, 'method'>): MethodOf<F> {
  return (target, method) => {
    const known = (Reflect.getOwnMetadata(OPERATIONS, target) ?? []) as OperationDeclaration[];
    Reflect.defineMetadata(OPERATIONS, [...known, { ...declared, method }], target);
  };
}

type Reads<Request, Result> = (request: Request & OfParent) => Promise<Result>;
type Changes<Request> = Reads<Request, Written<object>>;
type Creates<Request> = Reads<Request, Created<object>>;
type BulkCreates = Reads<CreateRequest<never>, readonly (Created<object> | ApiError)[]>;

/** `GET /{collection}` */
export const List = operation<Reads<ListRequest<never>, Page<object>>>('list');
/** `GET /{collection}/export` as CSV. The method reads one page. */
export const Export = operation<Reads<ListRequest<never>, Page<object>>>('export');
/** `GET /{collection}/{id}` */
export const Get = operation<Reads<ObjectRequest, object>>('get');
/** `POST /{collection}` */
export const Create = operation<Creates<CreateRequest<never>>, CreateOptions>('create');
/** `POST /{collection}/bulk`: many creations in one request. The method makes one of them. */
export const Bulk = operation<Creates<CreateRequest<never>>>('bulk');
/** Bulk creation with a schema for items. The method creates all items, and returns an error for each refused one. */
export const BulkOf = operation<BulkCreates, OperationOptions & Required<Pick<ActionOptions, 'body'>>>('bulk');
/** `PUT /{collection}/by_external_id/{external_id}` */
export const Upsert = operation<Creates<UpsertRequest<never, never>>>('upsert');
/** `PATCH /{collection}/{id}` as JSON Merge Patch. */
export const Update = operation<Changes<ChangeRequest<never>>>('update');
/** `PUT /{collection}/{id}/order`. `If-Match` is required, because an order lists all current parts. */
export const Order = operation<Changes<ChangeRequest<never>>, ActionOptions>('order');
/** `DELETE /{collection}/{id}` */
export const Delete = operation<Changes<ChangeRequest>>('delete');
/** `POST /{collection}/{id}/{path}`: a change of state. */
export function Action(id: string, path: string, options: ActionOptions): MethodOf<Changes<ChangeRequest<never>>> {
  return declare({ ...options, id, path, kind: 'action' });
}

/** Loads a member of `expand` for all rows of a response with one query. Returns values by the ids of rows. */
export function Expand(
  member: string,
): MethodOf<(request: ExpandRequest<never>) => Promise<ReadonlyMap<string, unknown>>> {
  return (target, method) => {
    const known = (Reflect.getOwnMetadata(EXPANSIONS, target) ?? {}) as Record<string, string>;
    Reflect.defineMetadata(EXPANSIONS, { ...known, [member]: method }, target);
  };
}

export type OperationsClass = abstract new (...parameters: never[]) => object;

/** Returns the declarations of the decorators of a class. */
export function collectionOf(type: OperationsClass): Collection {
  const declaration = Reflect.getMetadata(COLLECTION, type) as CollectionDeclaration<never> | undefined;
  if (declaration === undefined) throw new Error(`${type.name} lacks @Collection`);
  const expansions = (Reflect.getMetadata(EXPANSIONS, type.prototype as object) ?? {}) as Record<string, string>;
  const operations = Reflect.getMetadata(OPERATIONS, type.prototype as object) as OperationDeclaration[];
  const reads = operations.some(({ kind }) => kind === 'list' || kind === 'get');
  for (const member of Object.keys(declaration.resource.expand)) {
    if (reads && expansions[member] === undefined) throw new Error(`${type.name} lacks @Expand('${member}')`);
  }
  const { scope = declaration.name, writesByReaders } = declaration;
  const [read, write] = [readScopeOf(`${scope}:write`) as Scope, `${scope}:write` as Scope];
  return {
    ...declaration,
    resource: withoutFilterBy(declaration.parent, declaration.resource),
    scopes: { read, write: writesByReaders === true ? read : write },
    operations,
    expansions,
  };
}

/** The path of a list below another object says already whose objects it shows. */
function withoutFilterBy(parent: CollectionDeclaration<never>['parent'], resource: ResourceParts): ResourceParts {
  const filter = `${snake(parent?.one ?? '')}_id`;
  if (!resource.filters.includes(filter)) return resource;
  const { [filter]: _argument, ...toolFilters } = resource.toolFilters;
  const filters = resource.filters.filter((name) => name !== filter);
  return { ...resource, filters, toolFilters, listQuery: resource.listQuery.omit({ [filter]: true } as never) };
}
