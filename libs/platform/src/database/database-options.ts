import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource, DefaultNamingStrategy } from 'typeorm';
import type { DataSourceOptions, Logger as TypeormLogger } from 'typeorm';
import { columnTypes } from './column-types.js';
import { MeasuredPool } from './measured-pool.js';
import type { WaitListener } from './measured-pool.js';
import { TransactionClient } from './transaction-client.js';
import type { TransactionClientConfig } from './transaction-client.js';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Connections of this process, default 10. The health check has one more. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly entities: Function[];
  /** Classes in execution order; each name ends in a 13-digit timestamp, as TypeORM requires. */
  readonly migrations: Function[];
  /** Overrides the limits of requests, for commands such as one that rewrites a table. */
  readonly limits?: Partial<DatabaseLimits>;
  /** Called with the seconds that work waited for a connection, unless it found an idle one. */
  readonly onWait?: WaitListener;
}

/** Milliseconds; 0 is no limit. */
export type DatabaseLimits = Readonly<Record<keyof typeof REQUEST_LIMITS, number>>;

/** Every wait for the database is limited, so that a request fails with 503 instead of hanging. */
export const REQUEST_LIMITS = {
  /** Time to open a connection, or to get a free one from the pool. */
  connect: 2_000,
  /** PostgreSQL cancels the statement. */
  statement: 5_000,
  /** The client gives up: the server or network did not even cancel the statement. */
  query: 6_000,
  /** Interval at which PostgreSQL checks for a closed client, to cancel its statement. */
  clientCheck: 500,
  /** PostgreSQL ends a session that is idle in a transaction. */
  idleInTransaction: 10_000,
} as const;

/** For commands that read or write whole tables: a statement takes longer than any request may. */
export const NO_LIMITS: Partial<DatabaseLimits> = { statement: 0, query: 0, idleInTransaction: 0 };

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Settings of TypeORM's pool and of the health check's pool. */
export function poolSettings(limits: Partial<DatabaseLimits> = {}): pg.PoolConfig & TransactionClientConfig {
  const { connect, query, statement, clientCheck, idleInTransaction } = { ...REQUEST_LIMITS, ...limits };
  return {
    Client: TransactionClient,
    types: columnTypes,
    connectionTimeoutMillis: connect,
    responseTimeoutMillis: query,
    statement_timeout: statement,
    options: `-c client_connection_check_interval=${clientCheck}`,
    idle_in_transaction_session_timeout: idleInTransaction,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // Prepared statements live as long as their connection, and GraphQL clients keep adding new ones.
    maxLifetimeSeconds: 3_600,
  };
}

const logger = new Logger('Database');

/** TypeORM's own logger writes to stdout, which is for the results of commands. Callers log failed statements. */
const typeormLogger: TypeormLogger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: (message) => logger.log(message),
  log: (level, message) => (level === 'warn' ? logger.warn(message) : logger.debug(message)),
};

/** Prefixes the columns of a value object with its property: `price_currency`. */
class ColumnNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes, customName || propertyName].join('_');
  }
}

export function dataSourceOptions(options: DatabaseOptions): PostgresOptions {
  return {
    type: 'postgres',
    driver: { ...pg, Pool: MeasuredPool },
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
    extra: { ...poolSettings(options.limits), ...(options.onWait !== undefined && { onWait: options.onWait }) },
  };
}

/** A data source whose entities are registered before the first connection, so that repositories can be created. */
export class ServiceDataSource extends DataSource {
  async prepare(): Promise<this> {
    await this.buildMetadatas();
    return this;
  }

  /** Names of this build's migrations, in order. */
  get migrationNames(): readonly string[] {
    return this.migrations.map((migration) => migration.name ?? migration.constructor.name);
  }
}
