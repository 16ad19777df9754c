import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { TestApi } from './admin-api.js';

/** Names or texts of the statements of the one transaction of the work that has the named statement. */
export async function statementsOf(
  api: TestApi,
  named: string,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const { driver } = api.service.app.get(DataSource);
  const pool = Reflect.get(driver, 'master') as pg.Pool;
  const done: string[][] = [];
  const watched = new Map<pg.PoolClient, pg.PoolClient['query']>();
  const watch = (client: pg.PoolClient): void => {
    if (watched.has(client)) return;
    const { query } = client;
    watched.set(client, query);
    let texts: string[] = [];
    client.query = ((...given: readonly [string | pg.QueryConfig]) => {
      const [asked] = given;
      const text = typeof asked === 'string' ? asked : (asked.name ?? asked.text);
      // A lease of the rate limit may come before, on the same connection.
      if (/^start transaction$/i.test(text)) texts = [];
      texts.push(text);
      if (/^(commit|rollback)$/i.test(text)) {
        done.push(texts);
        texts = [];
      }
      return Reflect.apply(query, client, given) as unknown;
    }) as typeof client.query;
  };
  pool.on('acquire', watch);
  await work();
  pool.off('acquire', watch);
  for (const [client, query] of watched) client.query = query;
  const [written, ...others] = done.filter((texts) => texts.includes(named));
  expect(others).toEqual([]);
  return written ?? [];
}
