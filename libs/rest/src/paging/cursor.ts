import { ApiError } from '@lyceum/errors';
import { SigningKey } from '@lyceum/platform';

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

/**
 * Seals positions, so that a cursor is only valid as this service made it, and only for the list that it was made for. The
 * context is part of the key, not of the cursor. All replicas share the key.
 */
export class Cursors {
  readonly #master: Buffer;

  constructor(master: Buffer) {
    this.#master = master;
  }

  seal(context: CursorContext, position: Position): string {
    return this.#keyOf(context).seal(Buffer.from(JSON.stringify(position)));
  }

  /** @throws `invalid_cursor` for anything that `seal` did not make for this context. */
  open(context: CursorContext, cursor: string): Position {
    const bytes = this.#keyOf(context).open(cursor);
    if (bytes === undefined) {
      throw new ApiError('invalid_cursor', 'The cursor is not from this list with this filter and sort', {
        errors: [{ parameter: 'cursor', code: 'invalid_cursor', detail: 'Start again without it' }],
        hint: 'Start again without a cursor',
      });
    }
    return JSON.parse(bytes.toString()) as Position;
  }

  #keyOf({ collection, site_id, sort, filters }: CursorContext): SigningKey {
    const given = Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return new SigningKey(this.#master, 'operator-cursor.v1', site_id, collection, sort, JSON.stringify(given));
  }
}
