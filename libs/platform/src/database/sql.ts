import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import pg from 'pg';
import { ConnectionIsNotSetError, DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { isDatabaseUnavailable } from './database-error.js';
import { currentExecution } from '../telemetry/request-context.js';

export interface Statement {
  /**
   * Unique in the service: PostgreSQL keeps the plan per connection under this name. At most 63 characters. A statement
   * without a name is parsed and planned each time.
   */
  readonly name: string | undefined;
  /** SQL with `$1`, `$2`, …. It lists columns, so that a new column does not invalidate the plan. */
  readonly text: string;
}

export interface PreparedStatement extends Statement {
  readonly values: readonly unknown[];
}

/** Largest number of statements per table, because callers choose filters and members freely. */
const STATEMENTS_OF_A_TABLE = 256;
const statementNames = new Map<string, Map<string, string>>();

/** A statement whose text is generated: it depends on which values are present, never on the values. */
export function preparedStatement(table: string, text: string, values: readonly unknown[]): PreparedStatement {
  return { name: statementName(table, text), text, values };
}

function statementName(table: string, text: string): string | undefined {
  const names = statementNames.get(table) ?? new Map<string, string>();
  statementNames.set(table, names);
  const known = names.get(text);
  if (known !== undefined || names.size >= STATEMENTS_OF_A_TABLE) return known;
  const name = `${table.slice(0, 38)}_${hash('sha256', text).slice(0, 24)}`;
  names.set(text, name);
  return name;
}

/**
 * Frequent statements as named prepared statements on the data source's pool: parsed and planned once per connection,
 * without TypeORM's overhead.
 */
@Injectable()
export class Sql {
  readonly #dataSource: DataSource;

  constructor(dataSource: DataSource) {
    this.#dataSource = dataSource;
  }

  /**
   * @param tx the transaction to run in. Without it: a connection of the pool, which no transaction may wait for
   * @throws the error of `pg`; `temporarily_unavailable` before the first connection; the reason of the abort when the
   * work was aborted while waiting for a connection or for the statement. The latter closes the connection, so that
   * PostgreSQL cancels the statement (`client_connection_check_interval`).
   */
  async query<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    tx?: EntityManager,
  ): Promise<Row[]> {
    if (tx !== undefined) return preparedQuery(tx, statement, values);
    const client = await this.#pool().connect();
    const signal = currentExecution()?.signal;
    const hangUp = (): void => {
      if (client instanceof pg.Client) void client.end();
    };
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', hangUp);
      const result = await client.query<Row>(named(statement, values));
      client.release();
      return result.rows;
    } catch (error) {
      // pool.query() would close the connection after every error, a violated constraint included.
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
      throw new ApiError('temporarily_unavailable', 'The service cannot reach its database yet.', {
        retryAfter: 1,
        cause,
      });
    }
    return driver.master as pg.Pool;
  }
}

/**
 * Runs a named prepared statement in a transaction. `tx.query` parses and plans its text each time. Statements that
 * start at the same time are sent together, in this order, and all of them fail with the first error.
 *
 * @param commits true for the last statement of the transaction, which is committed with it
 * @throws the error of `pg`
 */
export async function preparedQuery<Row extends object>(
  tx: EntityManager,
  statement: Statement,
  values: readonly unknown[],
  { commits = false }: { readonly commits?: boolean } = {},
): Promise<Row[]> {
  if (tx.queryRunner === undefined) throw new Error(`${statement.text} runs in a transaction only`);
  const client = (await tx.queryRunner.connect()) as pg.PoolClient;
  const { rows } = await client.query<Row>(Object.assign(named(statement, values), commits && { commits }));
  return rows;
}

/**
 * Starts statements at the same time, which are sent together. Waits for all of them, and throws the error of the first
 * in the list that failed.
 */
export async function together<T extends readonly unknown[]>(work: {
  readonly [K in keyof T]: T[K] | Promise<T[K]>;
}): Promise<T> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  }) as unknown as T;
}

function named({ name, text }: Statement, values: readonly unknown[]): pg.QueryConfig {
  return { ...(name !== undefined && { name }), text, values: [...values] };
}
