import { connectionOptions } from '@lyceum/platform';
import type { DatabaseOptions } from '@lyceum/platform';
import type { AuthConfiguration } from '#src/auth.environment.js';
import { migrations } from './migrations.js';

/** All queries are SQL by hand: nearly every statement compares and sets, or is hot. So no entities exist. */
export function databaseOptions(config: AuthConfiguration): DatabaseOptions {
  return { ...connectionOptions(config), applicationName: 'auth', entities: [], migrations };
}
