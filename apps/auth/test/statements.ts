import { currentRequest } from '@lyceum/platform';
import { DataSource } from 'typeorm';
import type { TestAuth } from './auth.js';

/** A connection of the pool. */
interface Connection {
  readonly query: (...asked: unknown[]) => unknown;
}
interface Pool {
  on(event: 'acquire', listener: (connection: Connection) => void): void;
  off(event: 'acquire', listener: (connection: Connection) => void): void;
}

/** The texts of the statements that requests with an id send. Queues of jobs send others at the same time. */
export async function statementsOfRequest(
  auth: TestAuth,
  requestId: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const { master: pool } = auth.app.get(DataSource).driver as unknown as { readonly master: Pool };
  const spies = new Map<Connection, jest.SpyInstance>();
  const asked: unknown[] = [];
  const watch = (connection: Connection): void => {
    if (spies.has(connection)) return;
    const { query } = connection;
    const listening = (...values: unknown[]): unknown => {
      if (currentRequest()?.requestId === requestId) asked.push(values[0]);
      return Reflect.apply(query, connection, values);
    };
    spies.set(connection, jest.spyOn(connection, 'query').mockImplementation(listening));
  };
  pool.on('acquire', watch);
  await work();
  pool.off('acquire', watch);
  for (const spy of spies.values()) spy.mockRestore();
  return asked.map((first) => (typeof first === 'string' ? first : (first as { readonly text: string }).text));
}
