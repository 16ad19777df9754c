import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Outcome } from '@lyceum/errors';

/** Where a page ended: the value of the sort column and the id of the last row. */
export type Position = readonly [value: string, id: string];

/** Everything a cursor belongs to: used with anything else it is not valid. */
export interface CursorContext {
  readonly collection: string;
  readonly site_id: string;
  readonly sort: string;
  /** The filters as parsed. Order and absence do not matter. */
  readonly filters: Readonly<Record<string, unknown>>;
}

const MAC_BYTES = 16;
/** A sort value is at most 200 characters long. */
export const CURSOR_LENGTH = 2048;

/**
 * Signs positions, so that a cursor can only be what we gave out, for the list that it was given for. The context is
 * signed but not contained. All replicas share the key.
 */
export class Cursors {
  readonly #key: KeyObject;

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  seal(context: CursorContext, position: Position): string {
    const body = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.#mac(context, body), body]).toString('base64url');
  }

  open(context: CursorContext, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const body = bytes.subarray(MAC_BYTES);
    // base64url of Node skips what it does not know: only the one spelling that we gave out is good.
    const genuine =
      bytes.length > MAC_BYTES &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#mac(context, body));
    if (!genuine) {
      throw new Outcome('invalid_cursor', 'The cursor is not from this list with this filter and sort', {
        errors: [{ pointer: 'cursor', code: 'invalid_cursor', detail: 'Start again without it' }],
        hint: 'Start again without a cursor',
      });
    }
    return JSON.parse(body.toString()) as Position;
  }

  #mac(context: CursorContext, body: Buffer): Buffer {
    const filters = Object.entries(context.filters)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const bound = JSON.stringify([context.collection, context.site_id, context.sort, filters]);
    return createHmac('sha256', this.#key).update(bound).update('\0').update(body).digest().subarray(0, MAC_BYTES);
  }
}
