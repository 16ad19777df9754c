import { messagingMigrations } from '@lyceum/messaging';
import { connectionOptions } from '@lyceum/platform';
import type { DatabaseConfiguration, DatabaseOptions } from '@lyceum/platform';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Writes1763683200001 } from '@lyceum/rest';
import { collections } from './collections.js';
import { Baseline1763683200000 } from './migrations/1763683200000-baseline.js';
import { Revisions1795987200000 } from './migrations/1795987200000-revisions.js';
import { PastFailures1795987200001 } from './migrations/1795987200001-past-failures.js';
import { Links1795987200002 } from './migrations/1795987200002-links.js';
import { RevisionsOfEdits1795987200003 } from './migrations/1795987200003-revisions-of-edits.js';
import { DropRateLimits1795987200010 } from './migrations/1795987200010-drop-rate-limits.js';

export function databaseOptions(config: DatabaseConfiguration): DatabaseOptions {
  return {
    ...connectionOptions(config),
    applicationName: 'admin-api',
    entities: collections.flatMap(({ entities }) => entities),
    migrations: [
      ...messagingMigrations,
      ...rateLimitMigrations,
      ...collections.flatMap(({ migrations }) => migrations),
      Writes1763683200001,
      Baseline1763683200000,
      Revisions1795987200000,
      PastFailures1795987200001,
      Links1795987200002,
      RevisionsOfEdits1795987200003,
      DropRateLimits1795987200010,
    ],
  };
}
