import type { Principal, Scope } from '@lyceum/contracts';
import type { ApiError } from '@lyceum/errors';
import type { RowClass } from '@lyceum/platform';
import type { OperationDescription, Page } from '@lyceum/rest';
import type { z } from 'zod';
import type {
  BulkRequest,
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
import type { CreateOf, ListQueryOf, PatchOf, ResourceParts } from './resource.js';

/** Rows that are no entity: `rowOf<Joined>()`. */
export interface RowOf<Row> {
  readonly row?: Row;
}

export function rowOf<Row extends object>(): RowOf<Row> {
  return {};
}

export type ServiceClass = abstract new (...parameters: never[]) => object;
export type Services = ServiceClass | readonly [ServiceClass, ...ServiceClass[]];

/** The first parameter of `run`: the instance of one class, or those of a list. */
type Served<T extends Services> = T extends readonly ServiceClass[]
  ? { readonly [K in keyof T]: InstanceOf<T[K]> }
  : InstanceOf<T>;
type InstanceOf<T> = T extends abstract new (...parameters: never[]) => infer Instance ? Instance : never;

/** The part of an operator's scope before the colon. */
export type ScopeBase = Scope extends infer S ? (S extends `${infer Base}:${'read' | 'write'}` ? Base : never) : never;

export interface Parent {
  readonly name: string;
  readonly one: string;
}

type Keys<T> = keyof T & string;
type Members<R extends ResourceParts> = Keys<R['object']['shape']>;

/** The caller who gets an object. Undefined: the service itself. */
export type Reader = Pick<Principal, 'scopes'> | undefined;

/** Functions for members: required for those without a column of the same name. */
type ViewOf<Row, R extends ResourceParts> = {
  readonly [K in Exclude<Members<R>, Keys<Row>>]: (row: Row, reader: Reader) => unknown;
} & { readonly [K in Members<R> & Keys<Row>]?: (row: Row, reader: Reader) => unknown };

/** A row in a list, which does not have the details. */
type Listed<Row, R extends ResourceParts> = Omit<Row, R['details'][number]>;

/** The view, which may be missing if each member has a column of the same name. */
type WithView<Row, R extends ResourceParts> =
  Record<never, never> extends ViewOf<Row, R> ? { readonly view?: ViewOf<Row, R> } : { readonly view: ViewOf<Row, R> };

/** How rows become the objects of a resource in responses. */
export interface Representation<Row> {
  readonly resource: ResourceParts;
  readonly view?: Readonly<Record<string, ((row: Row, reader: Reader) => unknown) | undefined>>;
  /**
   * The entity tag: `rowTag(version, …counters)`. A counter distinguishes the bodies of different readers. Without a
   * tag, GET has a hash of the body.
   */
  readonly etag?: (row: Row, reader: Reader) => string;
  /** Personal data is stored in no cache. */
  readonly personal?: boolean;
}

/** The name and the texts of an operation. */
export interface OperationText<Patched = string> extends Pick<
  OperationDescription,
  'summary' | 'description' | 'problems' | 'deprecated'
> {
  /** `operationId`. */
  readonly id: string;
  /** The description of the successful response. */
  readonly response?: string;
  /** An operation with it is a tool as well, named as the operation is, in snake_case. */
  readonly tool?: {
    /** One precise sentence, then when to use it. */
    readonly description: string;
    /** See `ToolDeclaration.core`. */
    readonly core?: boolean;
    /** Members of a patch that a call cannot leave out. */
    readonly required?: readonly Patched[];
  };
}

/** Further words of a creation. */
export interface CreateText<Created = string> extends OperationText {
  /** The response when the object exists already. */
  readonly existing?: string;
  /** Members of the body that name an object that exists: a caller without the read scope sees these of it. */
  readonly knownBy?: readonly Created[];
}

/** Further words of an action. */
export interface ActionText extends OperationText {
  /** True if the action ends or overwrites something, so clients ask people before they call the tool. */
  readonly ends?: boolean;
  /** The action creates a new object each time, and returns it. */
  readonly creates?: boolean;
  /** Each call has a further effect, such as more days or another mail, so its tool is not idempotent. */
  readonly repeats?: boolean;
}

type Below<Above> = Above extends Parent ? OfParent : unknown;
type Change<Body, Above, Single> = Below<Above> &
  (Single extends true ? Omit<ChangeRequest<Body>, 'id'> : ChangeRequest<Body>);
type Parsed<B> = B extends z.ZodType ? z.output<B> : undefined;

/** Only these members of a creation: the body of an upsert has those that the caller sent. */
type Sent<R extends ResourceParts> = PatchOf<R> & Partial<CreateOf<R>>;

interface Runs<S, Request, Result> {
  readonly run: (service: S, request: Request) => Promise<Result>;
}

/** Operations by their kind. An action is named by the last segment of its path. */
export interface OperationsOf<Row, S, R extends ResourceParts, Above, Single, Actions, Ordered, Item> {
  /** `GET /{collection}` */
  readonly list?: OperationText & Runs<S, ListRequest<ListQueryOf<R>> & Below<Above>, Page<Listed<Row, R>>>;
  /** `GET /{collection}/{id}` */
  readonly get?: OperationText &
    Runs<S, (Single extends true ? Omit<ObjectRequest, 'id'> : ObjectRequest) & Below<Above>, Row>;
  /** `POST /{collection}` */
  readonly create?: CreateText<Keys<CreateOf<R>>> & Runs<S, CreateRequest<CreateOf<R>> & Below<Above>, Created<Row>>;
  /** `POST /{collection}/bulk`: many creations in one request. `run` returns a row or an error for each item. */
  readonly bulk?: OperationText & { readonly body: Item & z.ZodObject } & Runs<
      S,
      BulkRequest<Parsed<Item>> & Below<Above>,
      readonly (Created<Row> | ApiError)[]
    >;
  /** `PUT /{collection}/by_external_id/{external_id}` */
  readonly upsert?: OperationText & Runs<S, UpsertRequest<CreateOf<R>, Sent<R>> & Below<Above>, Created<Row>>;
  /** `PATCH /{collection}/{id}` as JSON Merge Patch. */
  readonly update?: OperationText<Keys<PatchOf<R>>> & Runs<S, Change<PatchOf<R>, Above, Single>, Written<Row>>;
  /** `PUT /{collection}/{id}/order`. `If-Match` is required, because an order lists all current parts. */
  readonly order?: ActionText & { readonly body: Ordered & z.ZodObject } & Runs<
      S,
      Change<Parsed<Ordered>, Above, Single>,
      Written<Row>
    >;
  /** `DELETE /{collection}/{id}` */
  readonly delete?: OperationText & Runs<S, Change<undefined, Above, Single>, Written<Row>>;
  /** `POST /{collection}/{id}/{path}`: changes of state, by path. */
  readonly actions?: { readonly [Path in keyof Actions]: ActionOf<Row, S, Above, Single, Actions[Path]> };
  /** Loads a member of `expand` for all rows of a response with one query. Returns values by the ids of rows. */
  readonly expand?: Readonly<
    Record<string, (service: S, request: ExpandRequest<Row>) => Promise<ReadonlyMap<string, unknown>>>
  >;
}

type ActionOf<Row, S, Above, Single, Body> = ActionText & { readonly body?: Body & z.ZodObject } & (
    | ({ readonly returns?: undefined } & Runs<S, Change<Parsed<Body>, Above, Single>, Written<Row>>)
    /** The object that the action answers with, where it is not of the collection. */
    | ({ readonly returns: Representation<never> } & Runs<S, Change<Parsed<Body>, Above, Single>, Written<object>>)
  );

/** The parts of a declaration that depend on no type. */
export interface Facts {
  /** The last segment of the path: `membership_plans`. */
  readonly name: string;
  /** True when writes need the read scope only, because they change no object of the scope. */
  readonly writesByReaders?: boolean;
  /** Describes the tag. One collection of each tag has it. */
  readonly description?: string;
}

/** Everything that the operations of a collection share, and the operations. */
export type CollectionDeclaration<
  Row extends object,
  T extends Services,
  R extends ResourceParts,
  Above extends Parent | undefined,
  Single extends boolean,
  ToolMember extends string,
  Actions,
  Ordered,
  Item,
> = WithView<NoInfer<Row>, NoInfer<R>> &
  Facts &
  Pick<Representation<NoInfer<Row>>, 'etag' | 'personal'> & {
    /** Prefix of the scopes `<scope>:read`, if it exists, and `<scope>:write`; also the OpenAPI tag. */
    readonly scope: ScopeBase;
    /** The service that `run` calls, or a list of services. */
    readonly service: T;
    /** The entity of the rows; `rowOf<Row>()` for others. */
    readonly row: RowClass<Row> | RowOf<Row>;
    readonly resource: R;
    /** The collection whose objects it is below: `students/{student_id}/enrollments`. */
    readonly parent?: Above;
    /** One object for each site, without ids and lists: `appearance`. */
    readonly singleton?: Single;
    /** Members of an item in the list of a tool, which requires them: all members would be too much for a model. */
    readonly toolItem?: readonly (Members<NoInfer<R>> | NoInfer<ToolMember>)[];
    /** Members that only tools show, or show in another way: fifty files would be too much as well. */
    readonly toolMembers?: {
      readonly [K in ToolMember]: { readonly schema: z.ZodType; readonly of: (row: NoInfer<Row>) => unknown };
    };
    readonly operations: OperationsOf<
      NoInfer<Row>,
      Served<NoInfer<T>>,
      NoInfer<R>,
      NoInfer<Above>,
      NoInfer<Single>,
      Actions,
      Ordered,
      Item
    >;
  };
