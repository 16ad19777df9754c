import { Injectable } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import pg from 'pg';
import { ConnectionIsNotSetError, DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { isDatabaseUnavailable } from './database-outcome.js';
import { currentExecution } from './request-context.js';

export interface Statement {
  /** Unique in the service: PostgreSQL keeps the plan under it, once for each connection. At most 63 characters. */
  readonly name: string;
  /** With `$1`, `$2`, … and explicit columns, so that a new column does not invalidate the plan. */
  readonly text: string;
}

/**
 * Hot statements by hand, as named prepared statements on the pool beneath the data source: parsed and planned once per
 * connection, with nothing of TypeORM in between. Outside of transactions.
 */
@Injectable()
export class Sql {
  readonly #dataSource: DataSource;

  constructor(dataSource: DataSource) {
    this.#dataSource = dataSource;
  }

  /**
   * @throws the error of `pg`; `temporarily_unavailable` when there has been no connection yet; the reason of the abort when
   * nobody waits for the work any more, be it while a connection was waited for or while the statement runs. Then the
   * connection is closed under it, so that PostgreSQL ends it (`client_connection_check_interval`).
   */
  async query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.#pool().connect();
    const signal = currentExecution()?.signal;
    const hangUp = (): void => {
      if (client instanceof pg.Client) void client.end();
    };
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', hangUp);
      const result = await client.query<Row>({ name: statement.name, text: statement.text, values: [...values] });
      client.release();
      return result.rows;
    } catch (error) {
      // pool.query() would drop the connection after every error, a violated constraint included.
      client.release(isDatabaseUnavailable(error));
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', hangUp);
    }
  }

  #pool(): pg.Pool {
    const { driver } = this.#dataSource;
    if (!('master' in driver) || driver.master === undefined) {
      const cause = new ConnectionIsNotSetError('postgres');
      throw new Outcome('temporarily_unavailable', 'The service cannot reach its database yet.', {
        retryAfter: 1,
        cause,
      });
    }
    return driver.master as pg.Pool;
  }
}

/**
 * A named prepared statement in a running transaction. `tx.query` parses and plans its text each time.
 *
 * @throws the error of `pg`
 */
export async function preparedQuery<Row extends object>(
  tx: EntityManager,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  if (tx.queryRunner === undefined) throw new Error(`${name} runs in a transaction only`);
  const client = (await tx.queryRunner.connect()) as pg.PoolClient;
  const { rows } = await client.query<Row>({ name, text, values: [...values] });
  return rows;
}
