import type { DatabaseOptions } from '@lyceum/platform';
import type { Configuration } from './configuration.js';
import { migrations } from './migrations/migrations.js';

export const SERVICE = 'member-api';

export function databaseOptions(config: Pick<Configuration, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: SERVICE,
    entities: [],
    migrations,
  };
}
