import type { RowPart } from '@lyceum/messaging';
import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A request under a key. `id` is SHA-256 of everything that the key belongs to. */
export interface KeyedRequest {
  readonly id: Buffer;
  readonly site_id: string;
  readonly requestHash: Buffer;
}

/** The stored request and response of a key. */
export interface StoredKey {
  readonly requestHash: Buffer;
  readonly ending: unknown;
}

/** Hours for which an answer is kept. */
const LIFETIME = `interval '24 hours'`;

const TAKE = {
  name: 'idempotency_keys_take',
  text: `with lock as materialized (select pg_try_advisory_xact_lock($1::bigint) as taken)
    select lock.taken, k.request_hash, k.answer as ending
    from lock left join idempotency_keys k on k.id = $2 and k.created_at > now() - ${LIFETIME}`,
};
const STORE = {
  name: 'idempotency_keys',
  text: `insert into idempotency_keys as k (id, site_id, request_hash, answer) values ($1, $2, $3, $4)
    on conflict (id) do update
      set request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at
      where k.created_at <= now() - ${LIFETIME}
    returning 1`,
};

@Injectable()
export class IdempotencyRepository {
  /**
   * Takes the key for the length of the transaction, without waiting for another one that has it, and reads what it
   * remembers. 64 bits of the id are the lock: a collision would only refuse for a moment.
   */
  async take(tx: EntityManager, id: Buffer): Promise<{ taken: boolean; remembered: StoredKey | undefined }> {
    const [row] = await preparedQuery<{ taken: boolean; request_hash: Buffer | null; ending: unknown }>(tx, TAKE, [
      id.readBigInt64BE(0).toString(),
      id,
    ]);
    if (row === undefined) throw new Error('A left join with one row on its left side gave none');
    const remembered = row.request_hash === null ? undefined : { requestHash: row.request_hash, ending: row.ending };
    return { taken: row.taken, remembered };
  }

  /**
   * The row of the key. It is not written when another transaction has stored the key meanwhile: it ended between the
   * moment that `take` looked and the moment that it got the lock.
   */
  rowOf(request: KeyedRequest, ending: object): RowPart {
    return { ...STORE, values: [request.id, request.site_id, request.requestHash, JSON.stringify(ending)] };
  }

  /** Forgets at most `limit` keys that are past their time; the number of those that it forgot. */
  async purge(tx: EntityManager, limit: number): Promise<number> {
    const [row] = await tx.query<{ purged: number }[]>(
      `with purged as (
         delete from idempotency_keys where id in (
           select id from idempotency_keys where created_at <= now() - ${LIFETIME}
           order by created_at limit $1 for update skip locked)
         returning 1)
       select count(*)::int as purged from purged`,
      [limit],
    );
    return row?.purged ?? 0;
  }
}
