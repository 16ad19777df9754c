import type { RowPart } from '@lyceum/messaging';
import { preparedQuery } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
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

interface TakenKey {
  readonly taken: boolean;
  /** A step of the key runs. */
  readonly running: boolean;
  readonly remembered: StoredKey | undefined;
}

/** Hours for which an answer is kept. */
const LIFETIME = `interval '24 hours'`;
/** Most of the time that a step takes. The key of a killed server is free again after it. */
const STEP = `interval '10 seconds'`;

/** SQL: reads a key after this expression has tried to lock it. */
const takenBy = (lock: string): string => `with lock as materialized (select ${lock} as taken)
    select lock.taken, coalesce(k.running_until > now(), false) as running,
      case when k.created_at > now() - ${LIFETIME} then k.request_hash end as request_hash, k.answer as ending
    from lock left join idempotency_keys k on k.id = $2`;
const TAKE = { name: 'idempotency_keys_take', text: takenBy('pg_try_advisory_xact_lock($1::bigint)') };
const TAKE_MARKED = {
  name: 'idempotency_keys_take_marked',
  text: takenBy('pg_advisory_xact_lock($1::bigint) is not null'),
};
/** A row without an answer, past its lifetime: `STORE` replaces it, and 0.1.0 does not see it. */
const MARK = {
  name: 'idempotency_keys_mark',
  text: `insert into idempotency_keys as k (id, site_id, request_hash, answer, created_at, running_until)
    values ($1, $2, $3, 'null', now() - ${LIFETIME} - interval '1 hour', now() + ${STEP})
    on conflict (id) do update
      set request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at,
        running_until = excluded.running_until
      where k.created_at <= now() - ${LIFETIME} and coalesce(k.running_until <= now(), true)
    returning 1`,
};
const STORE = {
  name: 'idempotency_keys',
  text: `insert into idempotency_keys as k (id, site_id, request_hash, answer) values ($1, $2, $3, $4)
    on conflict (id) do update
      set request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at,
        running_until = null
      where k.created_at <= now() - ${LIFETIME}
    returning 1`,
};

@Injectable()
export class IdempotencyRepository {
  /**
   * Takes the key for the length of the transaction, without waiting for another one that has it, and reads what it
   * remembers. 64 bits of the id are the lock: a collision would only refuse for a moment.
   */
  async take(tx: EntityManager, id: Buffer): Promise<TakenKey> {
    return this.#take(tx, TAKE, id);
  }

  /** Takes a key whose step has run. It waits for transactions that look at the key, and leave at once. */
  async takeMarked(tx: EntityManager, id: Buffer): Promise<TakenKey> {
    return this.#take(tx, TAKE_MARKED, id);
  }

  async #take(tx: EntityManager, statement: Statement, id: Buffer): Promise<TakenKey> {
    const [row] = await preparedQuery<{
      taken: boolean;
      running: boolean;
      request_hash: Buffer | null;
      ending: unknown;
    }>(tx, statement, [id.readBigInt64BE(0).toString(), id]);
    if (row === undefined) throw new Error('A left join with one row on its left side gave none');
    const remembered = row.request_hash === null ? undefined : { requestHash: row.request_hash, ending: row.ending };
    return { taken: row.taken, running: row.running, remembered };
  }

  /** Notes that a step of the key runs. False: one runs already, or the key has an answer. */
  async mark(tx: EntityManager, { id, site_id, requestHash }: KeyedRequest): Promise<boolean> {
    return (await preparedQuery(tx, MARK, [id, site_id, requestHash])).length === 1;
  }

  /** Ends the note without an answer. */
  async unmark(tx: EntityManager, id: Buffer): Promise<void> {
    await tx.query('delete from idempotency_keys where id = $1 and running_until is not null', [id]);
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
           select id from idempotency_keys
           where created_at <= now() - ${LIFETIME} and coalesce(running_until <= now(), true)
           order by created_at limit $1 for update skip locked)
         returning 1)
       select count(*)::int as purged from purged`,
      [limit],
    );
    return row?.purged ?? 0;
  }
}
