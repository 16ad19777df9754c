import type { Caller } from './callers.js';

export type Json = Readonly<Record<string, unknown>>;

/**
 * The state machine of a resource: `moves.publish.draft` is the state that `publish` leads to from `draft`. Moves from
 * a state to itself follow: a repetition changes nothing.
 */
interface States {
  /** The member that shows the state. */
  readonly member: string;
  readonly initial: string;
  readonly moves: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Actions that act each time: their moves from a state to itself do not follow. */
  readonly steps?: readonly string[];
  /** States in which a patch is refused with `invalid_state`. */
  readonly sealed?: readonly string[];
}

/** Creates an object of another collection at the same site, and returns it. */
export type CreateOther = (path: string, body: Json) => Promise<Json>;

/** Returns a body. It can create an object of another collection, or below the parent, that the body refers to. */
type BodyOf = (unique: string, other: CreateOther, parent: string) => Promise<Json>;

/** A request that changes another collection. */
interface Cause {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
}

/** Facts of a resource that the matrix cannot derive: at most 40 lines, written by hand from the contract. */
export interface Cases {
  /**
   * A body that creates an object; `unique` is a word that no other object has. It may create what the object needs,
   * also below its parent. Without it, `row` inserts objects.
   */
  readonly create?: (unique: string, other: CreateOther, parent: string) => Json | Promise<Json>;
  /**
   * Returns an item of a bulk request, in a collection whose objects are created below parents. A repeated item returns
   * the object of the first one.
   */
  readonly item?: (unique: string, other: CreateOther, parent: string) => Json | Promise<Json>;
  /** A request that leaves an object, the newest of the list, in a collection that nothing else writes. */
  readonly cause?: (unique: string, other: CreateOther, parent: string) => Cause | Promise<Cause>;
  /** Columns of a row, without `site_id` and `id`, for a collection that has no creation. */
  readonly row?: (unique: string, other: CreateOther, parent: string) => Json | Promise<Json>;
  /** The table, when it is not named as the collection. */
  readonly table?: string;
  /** A patch that changes the object. */
  readonly patch?: Json | ((unique: string) => Json);
  /** Bodies of actions on a new object, by the last segment of their paths. By default a body is empty. */
  readonly bodies?: Readonly<Record<string, Json | BodyOf>>;
  /** Members that no two objects of a site share. */
  readonly unique?: readonly string[];
  /** Columns beside them that no two rows of a site share. */
  readonly distinct?: readonly string[];
  /** Members that only the service sets. */
  readonly readOnly: readonly string[];
  /** The response to a creation shows a secret that no later response has. */
  readonly showsOnce?: boolean;
  /** Members that a patch cannot set. */
  readonly fixed?: readonly string[];
  /** Members that name another object of the site: another body for the same object keeps them. */
  readonly references?: readonly string[];
  /** Members that follow from others, or from the time of the write. */
  readonly derived?: readonly string[];
  readonly states?: States;
  /** The path of the object whose entity tag `If-Match` names, where it is another one. */
  readonly matches?: string;
  /** A word of the object that `q` finds and no other object has. */
  readonly search?: (object: Json) => string;
  /** For each filter by equality, the value of a new object and a value that no new object has. */
  readonly filters?: Readonly<Record<string, readonly [has: (object: Json) => unknown, lacks: unknown]>>;
  /** The parent of a sub-collection: its collection, and a body that creates one. */
  readonly parent?: {
    readonly collection: string;
    readonly create?: (unique: string) => Json;
    /** Creates a parent that is itself below another object, and returns its id. Replaces `create`. */
    readonly make?: (unique: string, other: CreateOther) => Promise<string>;
    /** Gives a new parent the parts that the collection needs. */
    readonly fill?: (id: string, other: CreateOther) => Promise<void>;
  };
  /** The body of `PUT …/order` that puts the parts of the object into another order. */
  readonly order?: (object: Json) => Json;
  /** `POST /api/v1/…` with another scope than the path says. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** A caller who sees the objects of the site only in part, and none that others created. */
  readonly fenced?: Caller;
  /** Why no caller sees the objects in part. A table has this or `fenced`. */
  readonly unfenced?: string;
  /** Only its creator can see an object, or use the upload that it names, so one person sends all requests. */
  readonly own?: boolean;
  /** `Cache-Control` of its objects: `private, no-store` for personal data. */
  readonly personal?: boolean;
  /** Entities of the events of parts, which a write of the object may publish beside its own event. */
  readonly parts?: readonly string[];
  /** Rules that the resource does not have yet, by the beginning of their names, each with the reason beside it. */
  readonly exempt?: readonly string[];
}
