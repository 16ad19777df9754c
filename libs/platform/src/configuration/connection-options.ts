import { REQUEST_LIMITS } from '../database/database-options.js';
import type { DatabaseOptions } from '../database/database-options.js';
import type { DatabaseConfiguration } from './environment.js';

/** Milliseconds after the limit of a statement at which the client gives up. */
const GRACE = REQUEST_LIMITS.query - REQUEST_LIMITS.statement;

/** The connections of a service to its database, as its settings say. */
export function connectionOptions(config: DatabaseConfiguration): Pick<DatabaseOptions, 'url' | 'poolSize' | 'limits'> {
  const { DATABASE_WAIT_MS: connect, DATABASE_STATEMENT_MS: statement } = config;
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    limits: { connect, statement, query: statement + GRACE },
  };
}
