import type { DatabaseName, Stack } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import { onDatabase } from '../load/data/database.ts';
import type { ScaleStack } from '../scale/scale-stack.ts';

/** A table whose rows the platform removes by their age. */
interface ShortLived {
  readonly database: DatabaseName;
  readonly table: string;
  /** The time that decides. */
  readonly column: string;
  /** Longer than rows stay after it. */
  readonly age: string;
}

const of = (database: DatabaseName, column: string, age: string, ...tables: string[]): ShortLived[] =>
  tables.map((table) => ({ database, table, column, age }));

const SHORT_LIVED: readonly ShortLived[] = [
  ...of('auth', 'expires_at', '1 minute', 'interactions', 'access_tokens', 'refresh_tokens', 'sessions'),
  ...of('auth', 'expires_at', '2 days', 'authorization_codes'),
  ...of('auth', 'last_at', '2 days', 'sign_in_attempts'),
  ...of('school', 'created_at', '2 days', 'idempotency_keys'),
  ...of('school', 'created_at', '31 days', 'webhook_deliveries'),
  ...(['auth', 'school', 'learner'] as const).flatMap((database) =>
    of(database, 'started_at', '3 hours', 'rate_windows'),
  ),
  ...(['school', 'learner'] as const).flatMap((database) => of(database, 'applied_at', '32 days', 'inbox')),
];

const DATABASES_WITH_OUTBOX: readonly DatabaseName[] = ['auth', 'school', 'learner'];
const PATIENCE_MS = 120_000;

export interface Retained {
  /** Rows of the load in all short-lived tables. */
  readonly aged: number;
  /** Tables that had rows of the load. */
  readonly tables: number;
  /** Rows that stayed beyond their time, by table. */
  readonly left: Readonly<Record<string, number>>;
  /** Events that were not published. */
  readonly unpublished: number;
}

/**
 * Makes all rows of short-lived tables older than their retention, and starts all replicas again, because a sweep runs
 * soon after a start. Returns what has stayed.
 */
export async function outliveRetention(scale: ScaleStack): Promise<Retained> {
  const { stack } = scale;
  const unpublished = await outboxes(stack);
  const before = await counts(stack, 'true');
  for (const { database, table, column, age } of SHORT_LIVED)
    await onDatabase(stack.databaseUrl(database), (client) =>
      client.query(`update ${table} set ${column} = now() - interval '${age}'`),
    );
  for (const one of stack.services) await one.restart();
  const old = (): Promise<Record<string, number>> => counts(stack, 'old');
  const left = await eventually(old, (now) => sum(now) === 0, PATIENCE_MS).catch(old);
  const nonEmpty = (all: Record<string, number>): [string, number][] =>
    Object.entries(all).filter(([, rows]) => rows > 0);
  return { aged: sum(before), tables: nonEmpty(before).length, left: Object.fromEntries(nonEmpty(left)), unpublished };
}

async function outboxes(stack: Stack): Promise<number> {
  const rows = async (): Promise<number> => {
    let total = 0;
    for (const database of DATABASES_WITH_OUTBOX)
      total += await countIn(stack, database, 'select count(*)::int as rows from outbox');
    return total;
  };
  return eventually(rows, (count) => count === 0, PATIENCE_MS).catch(rows);
}

async function counts(stack: Stack, which: 'true' | 'old'): Promise<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const { database, table, column, age } of SHORT_LIVED) {
    const condition = which === 'old' ? `${column} <= now() - interval '${age}'` : 'true';
    const text = `select count(*)::int as rows from ${table} where ${condition}`;
    all[`${database}.${table}`] = await countIn(stack, database, text);
  }
  return all;
}

async function countIn(stack: Stack, database: DatabaseName, text: string): Promise<number> {
  const { rows } = await onDatabase(stack.databaseUrl(database), (client) => client.query<{ rows: number }>(text));
  return rows[0]!.rows;
}

function sum(all: Readonly<Record<string, number>>): number {
  return Object.values(all).reduce((total, rows) => total + rows, 0);
}
