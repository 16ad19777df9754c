import { connectionOptions } from '@lyceum/platform';
import type { DatabaseConfiguration, DatabaseOptions } from '@lyceum/platform';
import { migrations } from './migrations/migrations.js';

export const SERVICE = 'member-api';

export function databaseOptions(config: DatabaseConfiguration): DatabaseOptions {
  return {
    ...connectionOptions(config),
    applicationName: SERVICE,
    entities: [],
    migrations,
  };
}
