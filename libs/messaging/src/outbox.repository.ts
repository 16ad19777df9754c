import { preparedQuery } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { LIMITS } from './limits.js';

/** `event` goes to JetStream and is acknowledged; `broadcast` is published once to the current subscribers. */
export type Channel = 'event' | 'broadcast';

export interface OutboxMessage {
  /** The event's id; also the `Nats-Msg-Id`. */
  readonly id: string;
  readonly channel: Channel;
  readonly subject: string;
  readonly aggregate_id: string;
  /** JSON. */
  readonly payload: string;
  /** Trace context of the writer. */
  readonly trace: Readonly<Record<string, string>>;
}

export interface OutboxRow extends OutboxMessage {
  /** Grows in insertion order. */
  readonly seq: number;
}

/** Keys of the advisory locks: 'lyce' in the upper half, the channel in the lower. */
const LOCKS: Record<Channel, readonly [number, number]> = { event: [0x6c796365, 1], broadcast: [0x6c796365, 2] };

/** Rows of another table that a transaction writes in the statement of its events. */
export interface RowPart {
  /** Unique in the service. */
  readonly name: string;
  /** An insert with `$1`, `$2`, … and `returning 1`. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The database adds the current epoch at the insert: no process may cache an older one. A join with the epoch, of which
 * PostgreSQL has no statistics, would be planned again at each execution.
 */
const INSERT = {
  name: 'outbox',
  text: `insert into outbox (id, channel, subject, aggregate_id, payload, trace)
    select id, channel, subject, aggregate_id,
           case channel when 'event' then '{"epoch":' || (select epoch from event_epoch) || ',' || substr(payload, 2)
                        else payload end,
           trace::jsonb
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
      as m (id, channel, subject, aggregate_id, payload, trace, place)
    order by place
    returning seq, payload`,
};

/** The rows that a statement has inserted into the outbox, and the number of those of each part. */
interface Inserted {
  readonly rows: OutboxRow[];
  readonly counts: readonly number[];
}

const statements = new Map<string, Statement>();

/** The insert of the outbox, with each part as a data-modifying CTE: a statement costs more than the rows that it writes. */
function insertWith(parts: readonly RowPart[]): Statement {
  const name = [INSERT, ...parts].map((part) => part.name).join('_with_');
  const known = statements.get(name);
  if (known !== undefined) return known;
  let used = 6;
  const ctes = parts.map(({ text, values }, index) => {
    const from = used;
    used += values.length;
    return `, part_${index} as (${text.replaceAll(/\$(\d+)/g, (_, place: string) => `$${from + Number(place)}`)})`;
  });
  const counts = parts.map((_, index) => `(select count(*)::int from part_${index})`).join(', ');
  const text = `with written as (${INSERT.text})${ctes.join('')}
    select seq, payload, array[${counts}]::int[] as counts from written order by seq`;
  const statement = { name, text };
  statements.set(name, statement);
  return statement;
}

/** Prepared: under load a relay runs these as often as requests write. */
const LOCK = { name: 'outbox_lock', text: 'select pg_try_advisory_xact_lock($1, $2) as held' };
const OLDEST = {
  name: 'outbox_oldest',
  text: `select seq, id, channel, subject, aggregate_id, payload, trace
    from outbox where channel = $1 order by seq limit $2`,
};
const DELETE = { name: 'outbox_delete', text: 'delete from outbox where seq = any($1::bigint[])' };

@Injectable()
export class OutboxRepository {
  readonly #dataSource: DataSource;

  constructor(dataSource: DataSource) {
    this.#dataSource = dataSource;
  }

  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#dataSource.transaction(work);
  }

  /** Inserts in the order of the list, which defines the order of publication, and the rows of the parts. */
  async insert(
    manager: EntityManager,
    messages: readonly OutboxMessage[],
    parts: readonly RowPart[] = [],
  ): Promise<Inserted> {
    const column = <K extends keyof OutboxMessage>(name: K) => messages.map((message) => message[name]);
    const places = await preparedQuery<{ seq: number; payload: string; counts: number[] }>(manager, insertWith(parts), [
      column('id'),
      column('channel'),
      column('subject'),
      column('aggregate_id'),
      column('payload'),
      messages.map(({ trace }) => JSON.stringify(trace)),
      ...parts.flatMap(({ values }) => values),
    ]);
    const rows = messages.map((message, at) => {
      const { seq = 0, payload = message.payload } = places[at] ?? {};
      return { ...message, seq, payload };
    });
    return { rows, counts: places[0]?.counts ?? [] };
  }

  /** Inserts rows without an event; their number. */
  async insertPart(manager: EntityManager, { name, text, values }: RowPart): Promise<number> {
    return (await preparedQuery(manager, { name, text }, values)).length;
  }

  /** Number of unpublished events, counted up to `atMost`. */
  async unsent(atMost: number): Promise<number> {
    const found: { count: number }[] = await this.#dataSource.query(
      `SELECT count(*)::int AS count FROM (SELECT FROM outbox WHERE channel = 'event' LIMIT $1) AS waiting`,
      [atMost],
    );
    return found[0]?.count ?? 0;
  }

  /** The last unpublished event; undefined without one. */
  async lastUnsent(): Promise<number | undefined> {
    const found: { seq: number }[] = await this.#dataSource.query(
      `SELECT seq FROM outbox WHERE channel = 'event' ORDER BY seq DESC LIMIT 1`,
    );
    return found[0]?.seq;
  }

  /** Returns true when all events up to that place are published. */
  async isSent(seq: number): Promise<boolean> {
    const found: { sent: boolean }[] = await this.#dataSource.query(
      `SELECT NOT EXISTS (SELECT FROM outbox WHERE channel = 'event' AND seq <= $1) AS sent`,
      [seq],
    );
    return found[0]?.sent === true;
  }

  /** Limits the wait for each lock until the transaction ends. */
  async limitLockWait(manager: EntityManager, milliseconds: number): Promise<void> {
    await manager.query(`SELECT set_config('lock_timeout', $1, true)`, [`${milliseconds}ms`]);
  }

  /** One statement without a transaction, for the poll of an idle relay. */
  async waiting(channel: Channel): Promise<boolean> {
    const rows: { waiting: boolean }[] = await this.#dataSource.query(
      'SELECT EXISTS (SELECT FROM outbox WHERE channel = $1) AS waiting',
      [channel],
    );
    return rows[0]?.waiting === true;
  }

  /** Held until the transaction ends: one relay per channel works at a time, across all replicas. */
  async tryLock(manager: EntityManager, channel: Channel): Promise<boolean> {
    const rows = await preparedQuery<{ held: boolean }>(manager, LOCK, LOCKS[channel]);
    return rows[0]?.held === true;
  }

  oldest(manager: EntityManager, channel: Channel): Promise<OutboxRow[]> {
    return preparedQuery(manager, OLDEST, [channel, LIMITS.relayBatch]);
  }

  async delete(rows: readonly OutboxRow[], tx?: EntityManager): Promise<void> {
    const places = [rows.map((row) => row.seq)];
    await (tx === undefined ? this.#dataSource.query(DELETE.text, places) : preparedQuery(tx, DELETE, places));
  }

  /** Rows (counted up to 10,000) and age of the oldest in seconds. */
  async backlog(): Promise<{ rows: number; age: number }> {
    const found: { rows: number; age: number }[] = await this.#dataSource.query(
      `SELECT count(*)::int AS rows, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
         FROM (SELECT created_at FROM outbox ORDER BY seq LIMIT 10000) AS oldest`,
    );
    return found[0] ?? { rows: 0, age: 0 };
  }
}
