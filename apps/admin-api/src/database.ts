import { messagingMigrations } from '@lyceum/messaging';
import { connectionOptions } from '@lyceum/platform';
import type { DatabaseConfiguration, DatabaseOptions } from '@lyceum/platform';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { IdempotencySteps1795987200063, Search1795987200030, Writes1763683200001 } from '@lyceum/rest';
import { collections } from './collections.js';
import { Baseline1763683200000 } from './migrations/1763683200000-baseline.js';
import { Revisions1795987200000 } from './migrations/1795987200000-revisions.js';
import { PastFailures1795987200001 } from './migrations/1795987200001-past-failures.js';
import { Links1795987200002 } from './migrations/1795987200002-links.js';
import { RevisionsOfEdits1795987200003 } from './migrations/1795987200003-revisions-of-edits.js';
import { DropRateLimits1795987200010 } from './migrations/1795987200010-drop-rate-limits.js';
import { ForeignKeyIndexes1795987200020 } from './migrations/1795987200020-foreign-key-indexes.js';
import { ReplacedIndexes1795987200021 } from './migrations/1795987200021-replaced-indexes.js';
import { PaymentRefusals1795987200023 } from './migrations/1795987200023-payment-refusals.js';
import { SearchIndexes1795987200031 } from './migrations/1795987200031-search-indexes.js';
import { StartedEnrollments1795987200040 } from './migrations/1795987200040-started-enrollments.js';
import { MarksOfProgress1795987200041 } from './migrations/1795987200041-marks-of-progress.js';
import { ReplacedIndexOfEnrollments1795987200042 } from './migrations/1795987200042-replaced-index-of-enrollments.js';
import { FilesByBytes1795987200043 } from './migrations/1795987200043-files-by-bytes.js';
import { UpdatedProgress1795987200044 } from './migrations/1795987200044-updated-progress.js';
import { PublishedPosts1795987200046 } from './migrations/1795987200046-published-posts.js';
import { KeptCoupons1795987200050 } from './migrations/1795987200050-kept-coupons.js';
import { UpcomingEvents1795987200060 } from './migrations/1795987200060-upcoming-events.js';
import { ReplacedIndexOfRedemptions1795987200061 } from './migrations/1795987200061-replaced-index-of-redemptions.js';
import { WaitingTypes1795987200062 } from './migrations/1795987200062-waiting-types.js';
import { AddedCourses1795987200070 } from './migrations/1795987200070-added-courses.js';

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
      ForeignKeyIndexes1795987200020,
      ReplacedIndexes1795987200021,
      PaymentRefusals1795987200023,
      Search1795987200030,
      SearchIndexes1795987200031,
      StartedEnrollments1795987200040,
      MarksOfProgress1795987200041,
      ReplacedIndexOfEnrollments1795987200042,
      FilesByBytes1795987200043,
      UpdatedProgress1795987200044,
      PublishedPosts1795987200046,
      KeptCoupons1795987200050,
      UpcomingEvents1795987200060,
      ReplacedIndexOfRedemptions1795987200061,
      WaitingTypes1795987200062,
      IdempotencySteps1795987200063,
      AddedCourses1795987200070,
    ],
  };
}
