import { isObject } from '../validation/is-object.js';

/** A row after a write, and whether the write has changed it. */
export interface Written<Row> {
  readonly row: Row;
  readonly changed: boolean;
}

/** The members of an object, by name; `true` is a member as a whole. */
export interface Mask {
  readonly [member: string]: true | Mask;
}

type Headers = Readonly<Record<string, string>>;

/** What a write answers, and how much of it the request has itself determined. */
export class WriteResponse {
  private constructor(
    readonly status: number,
    readonly body: object,
    readonly headers: Headers,
    readonly sent: Mask,
    readonly changed: boolean,
  ) {}

  static created(body: object, headers: Headers, sent: object): WriteResponse {
    return new WriteResponse(201, body, headers, maskOf(sent), true);
  }

  /** @param sent the members that the request has set, or would set. Those of a no-op are the ones that it named. */
  static of(body: object, headers: Headers, { sent, changed }: { sent: object; changed: boolean }): WriteResponse {
    return new WriteResponse(200, body, headers, maskOf(sent), changed);
  }

  /** @param body what is gone: only a dry run shows it. */
  static gone(body: object): WriteResponse {
    return new WriteResponse(204, body, {}, {}, true);
  }
}

function maskOf(sent: object): Mask {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, isObject(value) ? maskOf(value) : true]));
}

/** What every caller of a write may see of an object. */
const ALWAYS: ReadonlySet<string> = new Set(['id', 'updated_at']);

/** The part of a body that a caller without the read scope may see. */
export function partOf(body: object, mask: Mask): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
      if (ALWAYS.has(name)) return [[name, value]];
      const part = Object.hasOwn(mask, name) ? mask[name] : undefined;
      if (part === undefined) return [];
      return [[name, part !== true && isObject(value) ? partOf(value, part) : value]];
    }),
  );
}
