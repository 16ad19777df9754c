import type { DatabaseOptions } from '@lyceum/platform';
import type { AuthConfiguration } from '#src/auth.environment.js';
import { migrations } from './migrations.js';

/** All reading and writing is SQL by hand: nearly every statement here compares and sets, or is hot. So, no entities. */
export function databaseOptions(config: AuthConfiguration): DatabaseOptions {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize } = config;
  return { url, poolSize, applicationName: 'auth', entities: [], migrations };
}
