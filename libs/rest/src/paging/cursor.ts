import { ApiError } from '@lyceum/errors';
import { SigningKey } from '@lyceum/platform';
import type { SecretKeys } from '@lyceum/platform';

/** Derived keys in memory. Filters are free text, so their number has no other bound. */
const KEYS = 1_000;

/** The end of a page: the value of the sort column and the id of its last row. */
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
 * Seals positions, so that a cursor is only valid as this service made it, and only for the list that it was made for.
 * The context is part of the key, not of the cursor. All replicas share the key.
 */
export class Cursors {
  readonly #masters: SecretKeys;
  /** A derivation takes six hashes, four times as long as a seal. */
  readonly #keys = new Map<string, SigningKey>();

  constructor(masters: SecretKeys) {
    this.#masters = masters;
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
    const subject = ['operator-cursor.v1', site_id, collection, sort, JSON.stringify(given)];
    const name = subject.join('\0');
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    if (this.#keys.size >= KEYS) this.#keys.clear();
    const key = new SigningKey(this.#masters, ...subject);
    this.#keys.set(name, key);
    return key;
  }
}
