import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';

/** Where a page ends: the sort keys of a row. */
export interface CursorKeys {
  /** RFC 3339 with microseconds, as PostgreSQL keeps them. */
  readonly time: string;
  readonly id: string;
}

const KEY_BYTES = 24;
const TAG_BYTES = 16;
/** Block size of SHA-256 (FIPS 180-4 §1). */
const BLOCK_BYTES = 64;
const CURSOR = /^[A-Za-z0-9_-]{54}$/;

/**
 * The cursors of one list of one person at one site. A cursor is base64url of the keys (8 bytes of microseconds since
 * 1970, 16 bytes of id) and the first 16 bytes of their HMAC-SHA-256. The key is derived from person, site and list, so
 * that a cursor is nothing anywhere else. PostgreSQL signs what it lists by itself, from `inner` and `outer`.
 */
export class CursorScope {
  readonly #key: Buffer;
  #inner: Buffer | undefined;
  #outer: Buffer | undefined;

  constructor(master: Buffer, principal: Pick<Principal, 'site_id' | 'person_id'>, list: string) {
    const subject = `cursor.v1\0${principal.site_id}\0${principal.person_id}\0${list}`;
    this.#key = createHmac('sha256', master).update(subject).digest();
  }

  /** The key in the two blocks of RFC 2104 §2: HMAC(text) = H(outer, H(inner, text)). */
  get inner(): Buffer {
    return (this.#inner ??= block(this.#key, 0x36));
  }

  get outer(): Buffer {
    return (this.#outer ??= block(this.#key, 0x5c));
  }

  /** @throws Outcome `invalid_cursor` for anything that was not written in this scope. */
  read(cursor: string): CursorKeys {
    const bytes = CURSOR.test(cursor) ? Buffer.from(cursor, 'base64url') : undefined;
    const keys = bytes?.subarray(0, KEY_BYTES);
    if (bytes === undefined || keys === undefined || !timingSafeEqual(this.#tag(keys), bytes.subarray(KEY_BYTES))) {
      throw new Outcome('invalid_cursor', 'The cursor is not one of this list');
    }
    const micros = keys.readBigInt64BE(0);
    const hex = keys.toString('hex', 8);
    return {
      time: `${new Date(Number(micros / 1000n)).toISOString().slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`,
      id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
    };
  }

  #tag(keys: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(keys).digest().subarray(0, TAG_BYTES);
  }
}

function block(key: Buffer, pad: number): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES, pad);
  for (let i = 0; i < key.length; i += 1) bytes[i] = pad ^ (key[i] ?? 0);
  return bytes;
}

/** An SQL expression for the cursor of a row; `inner` and `outer` are parameters with the blocks of its scope. */
export function cursorSql(time: string, id: string, inner: string, outer: string): string {
  const keys = `int8send((extract(epoch FROM ${time}) * 1000000)::int8) || uuid_send(${id})`;
  const tag = `substr(sha256(${outer}::bytea || sha256(${inner}::bytea || ${keys})), 1, ${TAG_BYTES})`;
  return `translate(encode(${keys} || ${tag}, 'base64'), '+/=', '-_')`;
}

/** Makes scopes from the service's key. */
export class Cursors {
  readonly #master: Buffer;

  constructor(master: Buffer) {
    this.#master = master;
  }

  scope(principal: Pick<Principal, 'site_id' | 'person_id'>, list: string): CursorScope {
    return new CursorScope(this.#master, principal, list);
  }
}
