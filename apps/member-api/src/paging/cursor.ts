import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { SigningKey, sealedSql } from '@lyceum/platform';
import type { SecretKeys } from '@lyceum/platform';

/** The end of a page: the sort keys of a row. */
export interface CursorKeys {
  /** RFC 3339 with milliseconds. */
  readonly time: string;
  readonly id: string;
}

/** 8 bytes of time and 16 of id. */
const KEY_BYTES = 24;

/**
 * The cursors of one list of one person at one site. A cursor is base64url of the keys (8 bytes of milliseconds since
 * 1970, 16 bytes of id) and their tag. The key is derived from person, site and list, so a cursor is invalid everywhere
 * else. PostgreSQL signs the cursors of the rows that it lists.
 */
export class CursorScope {
  readonly key: SigningKey;

  constructor(masters: SecretKeys, principal: Pick<Principal, 'site_id' | 'person_id'>, list: string) {
    this.key = new SigningKey(masters, 'cursor.v2', principal.site_id, principal.person_id, list);
  }

  /** @throws ApiError `invalid_cursor` for a cursor that was not signed in this scope. */
  read(cursor: string): CursorKeys {
    const keys = this.key.open(cursor);
    if (keys?.length !== KEY_BYTES) {
      throw new ApiError('invalid_cursor', 'The cursor belongs to another list, or was changed', {
        hint: 'Start again without `after`',
      });
    }
    const hex = keys.toString('hex', 8);
    return {
      time: new Date(Number(keys.readBigInt64BE(0))).toISOString(),
      id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
    };
  }
}

/** An SQL expression for the cursor of a row; `inner` and `outer` are parameters with the blocks of its scope's key. */
export function cursorSql(time: string, id: string, inner: string, outer: string): string {
  return sealedSql(`int8send((extract(epoch from ${time}) * 1000)::int8) || uuid_send(${id})`, inner, outer);
}

/** Derives scopes from the keys of the service. */
export class ConnectionCursors {
  readonly #masters: SecretKeys;

  constructor(masters: SecretKeys) {
    this.#masters = masters;
  }

  scope(principal: Pick<Principal, 'site_id' | 'person_id'>, list: string): CursorScope {
    return new CursorScope(this.#masters, principal, list);
  }
}
