import type { DatabaseOptions } from '@lyceum/platform';
import type { AuthConfiguration } from '#src/auth.environment.js';
import { migrations } from './migrations.js';

/** All queries are SQL by hand: nearly every statement compares and sets, or is hot. So no entities exist. */
export function databaseOptions(config: AuthConfiguration): DatabaseOptions {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize } = config;
  return { url, poolSize, applicationName: 'auth', entities: [], migrations };
}
