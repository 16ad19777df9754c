import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Baseline1763700000000 } from './1763700000000-baseline.migration.js';

/** All migrations of the database `auth`, in their order. Append-only. */
export const migrations: Function[] = [...messagingMigrations, ...rateLimitMigrations, Baseline1763700000000];
