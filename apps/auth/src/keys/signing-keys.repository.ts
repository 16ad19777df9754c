import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import type { KeyTimes } from './rotation.policy.js';
import type { PublicJwk } from './signing-key.js';

export interface StoredKey extends KeyTimes {
  readonly kid: string;
  readonly public_jwk: PublicJwk;
  readonly private_jwk: Buffer;
}

const COLUMNS = 'kid, public_jwk, private_jwk, signs_from, signs_until, published_until';
const PUBLISHED = `SELECT ${COLUMNS} FROM signing_keys WHERE published_until IS NULL OR published_until > now() ORDER BY created_at`;
const PUBLIC_KEY = { name: 'signing_key_public', text: 'SELECT public_jwk FROM signing_keys WHERE kid = $1' };

@Injectable()
export class SigningKeysRepository {
  constructor(
    private readonly sql: Sql,
    private readonly dataSource: DataSource,
  ) {}

  published(): Promise<StoredKey[]> {
    return this.sql.query<StoredKey>({ name: 'signing_keys_published', text: PUBLISHED }, []);
  }

  /** A key that is or was published. */
  async publicKey(kid: string): Promise<PublicJwk | undefined> {
    const [row] = await this.sql.query<Pick<StoredKey, 'public_jwk'>>(PUBLIC_KEY, [kid]);
    return row?.public_jwk;
  }

  /** One replica at a time; the others wait and then find its key. */
  exclusively<T>(work: (manager: EntityManager, keys: StoredKey[]) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtext('auth.signing_keys'))`);
      return work(manager, await rows<StoredKey>(manager, PUBLISHED));
    });
  }

  async insert(manager: EntityManager, key: Omit<StoredKey, 'signs_until' | 'published_until'>): Promise<void> {
    await manager.query('INSERT INTO signing_keys (kid, public_jwk, private_jwk, signs_from) VALUES ($1, $2, $3, $4)', [
      key.kid,
      JSON.stringify(key.public_jwk),
      key.private_jwk,
      key.signs_from,
    ]);
  }

  async replacePrivate(manager: EntityManager, { kid, private_jwk }: Pick<StoredKey, 'kid' | 'private_jwk'>) {
    await manager.query('UPDATE signing_keys SET private_jwk = $2 WHERE kid = $1', [kid, private_jwk]);
  }

  /** Earlier keys stop when the new one begins, and leave the JWKS later. */
  async retireOthers(manager: EntityManager, kid: string, signsUntil: Date, publishedUntil: Date): Promise<void> {
    await manager.query(
      `UPDATE signing_keys SET signs_until = $2, published_until = $3 WHERE kid <> $1 AND signs_until IS NULL`,
      [kid, signsUntil, publishedUntil],
    );
  }
}
