import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { TestApi } from './admin-api.js';

/** The messages of the extended protocol that a connection of `pg` sends. */
interface Connection {
  query(text: string): void;
  parse(statement: { readonly name?: string; readonly text: string }): void;
  bind(portal: { readonly statement?: string }): void;
  sync(): void;
}

const START = /^start transaction$/i;
const END = /^(commit|rollback)$/i;

/**
 * The round trips of the one transaction of the work that has the named statement: the names or texts of the statements
 * that one write sends.
 */
export async function roundTripsOf(
  api: TestApi,
  named: string,
  work: () => Promise<unknown>,
): Promise<readonly (readonly string[])[]> {
  const { driver } = api.service.app.get(DataSource);
  const pool = Reflect.get(driver, 'master') as pg.Pool;
  const done: (readonly string[])[][] = [];
  const undo = new Map<pg.PoolClient, () => void>();
  const watch = (client: pg.PoolClient): void => {
    if (undo.has(client)) return;
    let trips: (readonly string[])[] = [];
    const send = (trip: readonly string[]): void => {
      // A lease of the rate limit may come before, on the same connection.
      if (trip.some((text) => START.test(text))) trips = [];
      trips.push(trip);
      if (!trip.some((text) => END.test(text))) return;
      done.push(trips);
      trips = [];
    };
    undo.set(client, listen(Reflect.get(client, 'connection') as unknown as Connection, send));
  };
  pool.on('acquire', watch);
  await work();
  pool.off('acquire', watch);
  for (const end of undo.values()) end();
  const [written, ...others] = done.filter((trips) => trips.flat().includes(named));
  expect(others).toEqual([]);
  return written ?? [];
}

/** The same statements, one after the other. */
export async function statementsOf(
  api: TestApi,
  named: string,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  return (await roundTripsOf(api, named, work)).flat();
}

/** Calls the listener with the statements of each write. Returns the function that ends it. */
function listen(connection: Connection, send: (statements: readonly string[]) => void): () => void {
  const { query, parse, bind, sync } = connection;
  let [part, unnamed]: [string[], string] = [[], ''];
  Object.assign(connection, {
    query(text: string) {
      send([text]);
      query.call(connection, text);
    },
    parse(statement: Parameters<typeof parse>[0]) {
      if (!statement.name) unnamed = statement.text;
      parse.call(connection, statement);
    },
    bind(portal: Parameters<typeof bind>[0]) {
      part.push(portal.statement ?? unnamed);
      bind.call(connection, portal);
    },
    sync() {
      send(part);
      part = [];
      sync.call(connection);
    },
  });
  return () => ['query', 'parse', 'bind', 'sync'].forEach((name) => Reflect.deleteProperty(connection, name));
}
