import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { TestAuth } from './auth.js';

/** Messages of the stream of identity that have the text. */
export async function messagesWith(admin: NatsConnection, text: string): Promise<number> {
  const { streams } = await jetstreamManager(admin);
  const { first_seq, last_seq } = (await streams.info('IDENTITY')).state;
  let count = 0;
  for (let seq = first_seq; seq <= last_seq; seq += 1) {
    const message = await streams.getMessage('IDENTITY', { seq }).catch(() => null);
    if (message?.string().includes(text) === true) count += 1;
  }
  return count;
}

/** Tables with a row that has one of the texts. */
export async function tablesWith(auth: TestAuth, ...texts: readonly string[]): Promise<string[]> {
  const tables = await auth.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const found: string[] = [];
  for (const { name } of tables) {
    const text = `select 1 from ${name} t where t::text like any($1) limit 1`;
    if ((await auth.sql(text, [texts.map((one) => `%${one}%`)])).length > 0) found.push(name);
  }
  return found;
}
