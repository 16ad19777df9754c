import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { isDatabaseUnavailable } from './database-error.js';
import { ServiceDataSource, dataSourceOptions, poolSettings } from './database-options.js';
import type { DatabaseOptions } from './database-options.js';
import { errorMessage } from '../telemetry/error-message.js';

const RETRY_MS = 1_000;
const PROBE_MS = 900;
const UNDEFINED_TABLE = '42P01';

/**
 * The connection of a service to its database. It exists before the database is reachable and survives its restarts.
 * While it is disconnected, queries fail with an error that surfaces map to 503.
 */
export class Database implements OnApplicationShutdown {
  readonly dataSource: ServiceDataSource;
  /** A separate connection: a busy pool must not look like an unavailable database. */
  readonly #probe: pg.Pool;
  readonly #logger = new Logger(Database.name);
  readonly #stopping = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  #reported = '';

  private constructor(options: DatabaseOptions) {
    this.dataSource = new ServiceDataSource(dataSourceOptions(options));
    this.#probe = new pg.Pool({
      ...poolSettings({ connect: PROBE_MS, query: PROBE_MS }),
      connectionString: options.url,
      application_name: `${options.applicationName}-health`,
      max: 1,
      allowExitOnIdle: true,
    });
    this.#probe.on('error', () => undefined);
    this.#ready.promise.catch(() => undefined);
  }

  /**
   * Connects, or retries once a second in the background. @throws errors that a retry cannot resolve, such as
   * contradictory entities.
   */
  static async open(options: DatabaseOptions): Promise<Database> {
    const database = new Database(options);
    await database.dataSource.prepare();
    if (!(await database.#connect())) void database.#keepTrying();
    return database;
  }

  /** Resolves with the first connection; rejects when the service stops before. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * Throws while the database does not respond or lacks a migration of this build. The result is not kept: a restore or
   * a changed address can put an older schema under a running replica. The check costs one statement either way.
   */
  async check(): Promise<void> {
    if (!this.dataSource.isInitialized) throw new Error('not connected yet');
    const pending = await this.pendingMigrations();
    if (pending.length > 0) throw new Error(`migrations are pending: ${pending.join(', ')}`);
  }

  /** Names of this build's migrations that were not run yet. */
  async pendingMigrations(): Promise<readonly string[]> {
    const names = this.dataSource.migrationNames;
    try {
      const result = await this.#probe.query<{ name: string }>('SELECT name FROM migrations');
      const done = new Set(result.rows.map((row) => row.name));
      return names.filter((name) => !done.has(name));
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return names;
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.#ready.reject(new Error('The service stops'));
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
    await this.#probe.end();
  }

  async #connect(): Promise<boolean> {
    try {
      await this.dataSource.initialize();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      const reason = errorMessage(error);
      // Once per reason, not once per second.
      if (reason !== this.#reported) this.#logger.warn(`the database cannot be reached: ${reason}`);
      this.#reported = reason;
      return false;
    }
    this.#ready.resolve();
    return true;
  }

  async #keepTrying(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (await this.#connect()) {
          this.#logger.log('the database is reached');
          break;
        }
      } catch (error) {
        this.#logger.error('connecting to the database failed', error);
      }
    }
    if (signal.aborted && this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
