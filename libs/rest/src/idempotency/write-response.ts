import { isObject } from '@lyceum/platform';

/** A row after a write. `changed` is false for a no-op. */
export interface Written<Row> {
  readonly row: Row;
  readonly changed: boolean;
}

/** The members of an object, by name; `true` is a member as a whole. */
export interface FieldMask {
  readonly [member: string]: true | FieldMask;
}

type Headers = Readonly<Record<string, string>>;

/** The response to a write, with the members that the request set. */
export class WriteResponse {
  private constructor(
    readonly status: number,
    readonly body: object,
    readonly headers: Headers,
    readonly sent: FieldMask,
    readonly changed: boolean,
  ) {}

  /** Returns a 201. @param sent the members that the request set */
  static created(body: object, headers: Headers, sent: object): WriteResponse {
    return new WriteResponse(201, body, headers, maskOf(sent), true);
  }

  /** Returns a 200. @param sent the members that the request set; for a no-op, those that it named */
  static of(body: object, headers: Headers, { sent, changed }: { sent: object; changed: boolean }): WriteResponse {
    return new WriteResponse(200, body, headers, maskOf(sent), changed);
  }

  /** Returns a 204. @param body the deleted object, which only a dry run shows */
  static gone(body: object): WriteResponse {
    return new WriteResponse(204, body, {}, {}, true);
  }
}

function maskOf(sent: object): FieldMask {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, isObject(value) ? maskOf(value) : true]));
}

/** The members of an object that every caller of a write may see. */
const ALWAYS: ReadonlySet<string> = new Set(['id', 'updated_at']);

/** The part of a body that a caller without the read scope may see. */
export function redact(body: object, mask: FieldMask): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
      if (ALWAYS.has(name)) return [[name, value]];
      const part = Object.hasOwn(mask, name) ? mask[name] : undefined;
      if (part === undefined) return [];
      return [[name, part !== true && isObject(value) ? redact(value, part) : value]];
    }),
  );
}
