import { types } from 'node:util';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource, DefaultNamingStrategy } from 'typeorm';
import type { DataSourceOptions, Logger as TypeormLogger } from 'typeorm';
import { isError } from './is-error.js';
import { safeIntegers } from './safe-integers.js';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Connections of this process, 10 without it. One more is kept for the health check. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly entities: Function[];
  /** Classes in the order of their running; the name ends in the 13 digits of a time, as TypeORM wants it. */
  readonly migrations: Function[];
  /** For work that needs other limits than requests do, such as a command that rewrites a table. */
  readonly limits?: Partial<DatabaseLimits>;
}

/** Milliseconds; 0 is no limit. */
export type DatabaseLimits = Readonly<Record<keyof typeof REQUEST_LIMITS, number>>;

/** Every wait for the database ends: a request is answered 503 rather than kept. */
const REQUEST_LIMITS = {
  /** For a new connection, and for a free one of the pool. */
  connect: 2_000,
  /** PostgreSQL cancels the statement. */
  statement: 5_000,
  /** The client gives up: the server or the network does not even cancel. */
  query: 6_000,
  /** Between two looks of PostgreSQL whether the client is still there: without it the statement is canceled. */
  clientCheck: 500,
  /** PostgreSQL ends a session that sits in an open transaction. */
  idleInTransaction: 10_000,
} as const;

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

type Query = (...args: readonly unknown[]) => unknown;

/**
 * A connection that is thrown away once a query got no answer in time. `pg` goes on waiting for that answer, and the pool
 * would hand the deaf connection to the next request, and the next.
 */
class WatchedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // A connection may break while it is in use; the query that notices reports it. Without a listener the process dies.
    this.on('error', () => undefined);
    const query = this.query.bind(this) as Query;
    this.query = ((...args: readonly unknown[]) => {
      const result = query(...args);
      if (types.isPromise(result)) result.catch((error: unknown) => this.#endIfDeaf(error));
      return result;
    }) as typeof this.query;
  }

  #endIfDeaf(error: unknown): void {
    if (isError(error) && error.message === 'Query read timeout') this.end().catch(() => undefined);
  }
}

/** The settings of a pool beneath TypeORM, and of the pool of the health check. */
export function poolSettings(limits: Partial<DatabaseLimits> = {}): pg.PoolConfig {
  const { connect, query, statement, clientCheck, idleInTransaction } = { ...REQUEST_LIMITS, ...limits };
  return {
    Client: WatchedClient,
    types: safeIntegers,
    connectionTimeoutMillis: connect,
    query_timeout: query,
    statement_timeout: statement,
    options: `-c client_connection_check_interval=${clientCheck}`,
    idle_in_transaction_session_timeout: idleInTransaction,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // PostgreSQL forgets the prepared statements of a connection with it, and clients of GraphQL invent new ones.
    maxLifetimeSeconds: 3_600,
  };
}

const logger = new Logger('Database');

/** TypeORM's own would write to stdout, where the results of commands stand. Failed statements are told by who asked. */
const typeormLogger: TypeormLogger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: (message) => logger.log(message),
  log: (level, message) => (level === 'warn' ? logger.warn(message) : logger.debug(message)),
};

/** Columns of a value object are named after its property: `price_currency`. */
class ColumnNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes, customName || propertyName].join('_');
  }
}

export function dataSourceOptions(options: DatabaseOptions): PostgresOptions {
  return {
    type: 'postgres',
    driver: pg,
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize ?? 10,
    entities: options.entities,
    migrations: options.migrations,
    migrationsTransactionMode: 'each',
    namingStrategy: new ColumnNames(),
    synchronize: false,
    // Ids come from uuidv7() of PostgreSQL 18; a service's role may not create extensions.
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    logger: typeormLogger,
    // Idle connections break when the database restarts; the pool replaces them.
    poolErrorHandler: (error: Error) => logger.warn(`an idle connection broke: ${error.message}`),
    extra: poolSettings(options.limits),
  };
}

/** A data source whose entities are known before the database has been reached, so that repositories can be made. */
export class ServiceDataSource extends DataSource {
  async prepare(): Promise<this> {
    await this.buildMetadatas();
    return this;
  }

  /** Names of the migrations of this build, in their order. */
  get migrationNames(): readonly string[] {
    return this.migrations.map((migration) => migration.name ?? migration.constructor.name);
  }
}
