import { preparedQuery, together } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { LIMITS } from '../connection/limits.js';

/**
 * `event` and the slower `bulk` go to JetStream and are acknowledged; `broadcast` is published once to the current
 * subscribers.
 */
export type Channel = 'event' | 'bulk' | 'broadcast';

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
const LOCKS: Record<Channel, readonly [number, number]> = {
  event: [0x6c796365, 1],
  broadcast: [0x6c796365, 2],
  bulk: [0x6c796365, 3],
};

/** Rows of another table that a transaction writes in the statement of its events. */
export interface RowPart {
  /** Unique in the service. */
  readonly name: string;
  /** An insert with `$1`, `$2`, … and `returning 1`. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** SQLSTATE of the division by the number of rows. */
const DIVISION_BY_ZERO = '22012';

/**
 * The database adds the current epoch at the insert: no process may cache an older one. A join with the epoch, of which
 * PostgreSQL has no statistics, would be planned again at each execution.
 */
function stored(
  message: Readonly<Record<'id' | 'channel' | 'subject' | 'aggregate_id' | 'payload' | 'trace', string>>,
) {
  const { id, channel, subject, aggregate_id, payload, trace } = message;
  const event = `'{"epoch":' || (select epoch from event_epoch) || ',' || substr(${payload}, 2)`;
  const body = `case ${channel} when 'broadcast' then ${payload} else ${event} end`;
  // The default is the start of the transaction: events of a long one would be too old for `bulkQuiet`.
  return `${id}, ${channel}, ${subject}, ${aggregate_id}, ${body}, ${trace}::jsonb, clock_timestamp()`;
}

const COLUMNS = {
  id: 'id',
  channel: 'channel',
  subject: 'subject',
  aggregate_id: 'aggregate_id',
  payload: 'payload',
  trace: 'trace',
};
const PLACES = {
  id: '$1::uuid',
  channel: '$2::text',
  subject: '$3',
  aggregate_id: '$4',
  payload: '$5::text',
  trace: '$6',
};

/** Insert of a single message, the most frequent case. The statement for many messages takes twice as long. */
const ONE = { name: 'outbox_one', rows: `values (${stored(PLACES)})` };
const MANY = {
  name: 'outbox',
  rows: `select ${stored(COLUMNS)}
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
      as m (id, channel, subject, aggregate_id, payload, trace, place)
    order by place`,
};

export interface Insertion {
  /** Rows of other tables, in the same statement. */
  readonly parts?: readonly RowPart[];
  /** One of the parts. The statement fails unless it inserts a row. */
  readonly required?: RowPart | undefined;
  /** True when nothing of the transaction follows: it is committed with the statement. */
  readonly commits?: boolean;
}

const statements = new Map<string, Statement>();

/** Inserts into the outbox with data-modifying CTEs, because a statement costs more than the rows that it writes. */
function insertWith({ name: first, rows }: typeof ONE, { parts = [], required }: Insertion): Statement {
  const name = [first, ...parts.map((part) => part.name)].join('_with_');
  const known = statements.get(name);
  if (known !== undefined) return known;
  let used = 6;
  const ctes = parts.map(({ text, values }, index) => {
    const from = used;
    used += values.length;
    return `part_${index} as (${text.replaceAll(/\$(\d+)/g, (_, place: string) => `$${from + Number(place)}`)})`;
  });
  const place = parts.findIndex((part) => part === required);
  const text = `${ctes.length === 0 ? '' : `with ${ctes.join(', ')}`}
    insert into outbox (id, channel, subject, aggregate_id, payload, trace, created_at) ${rows}
    returning seq${place === -1 ? '' : `, (select 1 / count(*) from part_${place}) as required`}`;
  const statement = { name, text };
  statements.set(name, statement);
  return statement;
}

/** Prepared: under load a relay runs these as often as requests write. */
const LOCK = { name: 'outbox_lock', text: 'select pg_try_advisory_xact_lock($1, $2) as held' };
const ROWS = 'select seq, id, channel, subject, aggregate_id, payload, trace from outbox';
const OLDEST = { name: 'outbox_oldest', text: `${ROWS} where channel = $1 order by seq limit $2` };
/** The age in milliseconds of the row of `bulk` at one end of the backlog. */
const ageOfBulk = (end: 'asc' | 'desc'): string =>
  `(select extract(epoch from now() - created_at) * 1000 from outbox where channel = 'bulk' order by seq ${end} limit 1)`;
/**
 * Events that are older than all of the other channel, so that none overtakes an event of its aggregate there. None
 * while bulk work goes on: their consumers would take its processor time.
 */
const OLDEST_BULK = {
  name: 'outbox_oldest_bulk',
  text: `${ROWS} where channel = 'bulk'
      and seq < coalesce((select seq from outbox where channel = 'event' order by seq limit 1), ${Number.MAX_SAFE_INTEGER})
      and (${ageOfBulk('desc')} >= ${LIMITS.bulkQuiet} or ${ageOfBulk('asc')} >= ${LIMITS.bulkPatience})
    order by seq limit $1 for update skip locked`,
};
const HAS_BULK = { name: 'outbox_has_bulk', text: `select 1 as held from outbox where channel = 'bulk' limit 1` };
/** Not prepared: the best plan depends on the size of the backlog. A row that the other relay has is awaited. */
const EARLIER_BULK = `${ROWS} where channel = 'bulk' and aggregate_id = any($1) and seq < $2 order by seq for update`;
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

  /**
   * Inserts in the order of the list, which defines the order of publication, and the rows of the parts.
   *
   * @returns undefined if the required row was not inserted: the transaction has failed
   */
  async insert(
    manager: EntityManager,
    messages: readonly OutboxMessage[],
    insertion: Insertion = {},
  ): Promise<OutboxRow[] | undefined> {
    const columns = ['id', 'channel', 'subject', 'aggregate_id', 'payload'] as const;
    const listed = [
      ...columns.map((column) => messages.map((message) => message[column])),
      messages.map(({ trace }) => JSON.stringify(trace)),
    ];
    const one = messages.length === 1;
    const values = [...(one ? listed.flat() : listed), ...(insertion.parts ?? []).flatMap((part) => part.values)];
    const statement = insertWith(one ? ONE : MANY, insertion);
    try {
      const inserted = await preparedQuery<{ seq: number }>(manager, statement, values, insertion);
      return inserted.map(({ seq }, at) => ({ ...(messages[at] as OutboxMessage), seq }));
    } catch (error) {
      if (insertion.required !== undefined && isDivisionByZero(error)) return undefined;
      throw error;
    }
  }

  /** Inserts rows without an event; their number. */
  async insertPart(manager: EntityManager, { name, text, values }: RowPart): Promise<number> {
    return (await preparedQuery(manager, { name, text }, values)).length;
  }

  /** Number of unpublished events but for bulk work, counted up to `atMost`. */
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
      `SELECT seq FROM outbox WHERE channel IN ('event', 'bulk') ORDER BY seq DESC LIMIT 1`,
    );
    return found[0]?.seq;
  }

  /** Returns true when all events up to that place are published. */
  async isSent(seq: number): Promise<boolean> {
    const found: { sent: boolean }[] = await this.#dataSource.query(
      `SELECT NOT EXISTS (SELECT FROM outbox WHERE channel IN ('event', 'bulk') AND seq <= $1) AS sent`,
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

  /**
   * Takes the lock of the channel until the transaction ends, so that one relay works at a time across all replicas,
   * and reads the rows to publish next. An event brings the earlier ones of its aggregate that are in the bulk channel.
   * Returns undefined if another relay has the lock.
   */
  async takeOldest(manager: EntityManager, channel: Channel): Promise<OutboxRow[] | undefined> {
    const locking = preparedQuery<{ held: boolean }>(manager, LOCK, LOCKS[channel]);
    // It locks rows, which the relay with the lock would skip.
    if (channel === 'bulk') {
      const [lock] = await locking;
      return lock?.held === true ? preparedQuery(manager, OLDEST_BULK, [LIMITS.bulkBatch]) : undefined;
    }
    const [[lock], rows, bulk] = await together([
      locking,
      preparedQuery<OutboxRow>(manager, OLDEST, [channel, LIMITS.relayBatch]),
      channel === 'event' ? preparedQuery(manager, HAS_BULK, []) : [],
    ]);
    if (lock?.held !== true) return undefined;
    const last = rows.at(-1);
    if (last === undefined || bulk.length === 0) return rows;
    const aggregates = rows.map((row) => row.aggregate_id);
    const earlier = await manager.query<OutboxRow[]>(EARLIER_BULK, [aggregates, last.seq]);
    return [...earlier, ...rows].toSorted((a, b) => a.seq - b.seq);
  }

  /** @param tx a transaction that ends with the deletion */
  async delete(rows: readonly OutboxRow[], tx?: EntityManager): Promise<void> {
    const places = [rows.map((row) => row.seq)];
    if (tx === undefined) await this.#dataSource.query(DELETE.text, places);
    else await preparedQuery(tx, DELETE, places, { commits: true });
  }

  /** Rows (counted up to 10,000), and age in seconds of the oldest one that does not wait for its turn. */
  async backlog(): Promise<{ rows: number; age: number }> {
    const oldest = (channel: Channel): string =>
      `(SELECT created_at FROM outbox WHERE channel = '${channel}' ORDER BY seq LIMIT 1)`;
    const found: { rows: number; age: number }[] = await this.#dataSource.query(
      `SELECT (SELECT count(*)::int FROM (SELECT FROM outbox LIMIT 10000) AS counted) AS rows,
         coalesce(extract(epoch FROM now() - least(${oldest('event')}, ${oldest('broadcast')})), 0)::float8 AS age`,
    );
    return found[0] ?? { rows: 0, age: 0 };
  }
}

function isDivisionByZero(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DIVISION_BY_ZERO;
}
