import { messagingMigrations } from '@lyceum/messaging';
import type { DatabaseOptions } from '@lyceum/platform';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Writes1763683200001 } from '@lyceum/rest';
import type { Configuration } from './configuration.js';
import { collections } from './collections.js';
import { Revisions1763930000000 } from './migrations/1763930000000-revisions.js';
import { SubtitleSearch1763930000001 } from './migrations/1763930000001-subtitle-search.js';
import { Members1763962000000 } from './migrations/1763962000000-members.js';
import { StateFilters1764000000000 } from './migrations/1764000000000-state-filters.js';
import { Milliseconds1764000030000 } from './migrations/1764000030000-milliseconds.js';
import { AmericanSpelling1764000030010 } from './migrations/1764000030010-american-spelling.js';
import { Money1764000030020 } from './migrations/1764000030020-money.js';
import { AccessGrants1764000050000 } from './migrations/1764000050000-access-grants.js';
import { OwnKeys1764000050001 } from './migrations/1764000050001-own-keys.js';
import { CourseLecturers1764000060000 } from './migrations/1764000060000-course-lecturers.js';
import { Progress1764000080000 } from './migrations/1764000080000-progress.js';
import { LecturerKeys1764000091001 } from './migrations/1764000091001-lecturer-keys.js';
import { ActivityOfPrograms1764000091002 } from './migrations/1764000091002-activity-of-programs.js';
import { LectureCompletion1764000120000 } from './migrations/1764000120000-lecture-completion.js';
import { LecturerLinks1764000282000 } from './migrations/1764000282000-lecturer-links.js';
import { StudentDeletions1764000284000 } from './migrations/1764000284000-student-deletions.js';
import { ProgressByCourse1764000091000 } from './migrations/1764000091000-progress-by-course.js';

export function databaseOptions(config: Pick<Configuration, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'admin-api',
    entities: collections.flatMap(({ entities }) => entities),
    migrations: [
      ...messagingMigrations,
      ...rateLimitMigrations,
      ...collections.flatMap(({ migrations }) => migrations),
      Writes1763683200001,
      Revisions1763930000000,
      SubtitleSearch1763930000001,
      Members1763962000000,
      StateFilters1764000000000,
      Milliseconds1764000030000,
      AmericanSpelling1764000030010,
      Money1764000030020,
      AccessGrants1764000050000,
      OwnKeys1764000050001,
      CourseLecturers1764000060000,
      Progress1764000080000,
      ProgressByCourse1764000091000,
      LecturerKeys1764000091001,
      ActivityOfPrograms1764000091002,
      LectureCompletion1764000120000,
      LecturerLinks1764000282000,
      StudentDeletions1764000284000,
    ],
  };
}
