import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Baseline1763683200000 } from './1763683200000-baseline.js';
import { DropRateWindow1795931529021 } from './1795931529021-drop-rate-window.js';
import { CourseSlugs1795987200011 } from './1795987200011-course-slugs.js';
import { FanOutsOfPublications1795987200020 } from './1795987200020-fan-outs-of-publications.js';
import { OldestJobs1795987200021 } from './1795987200021-oldest-jobs.js';
import { InheritedSettings1795987200030 } from './1795987200030-inherited-settings.js';
import { MemberErasures1795987200031 } from './1795987200031-member-erasures.js';
import { NewLectures1795987200032 } from './1795987200032-new-lectures.js';
import { UnlinkedStates1795987200040 } from './1795987200040-unlinked-states.js';
import { OldReminders1795987200060 } from './1795987200060-old-reminders.js';
import { ReplacedIndexOfReminders1795987200061 } from './1795987200061-replaced-index-of-reminders.js';
import { StudentsOfProgress1795987200070 } from './1795987200070-students-of-progress.js';

export const migrations = [
  Baseline1763683200000,
  ...messagingMigrations,
  ...rateLimitMigrations,
  DropRateWindow1795931529021,
  CourseSlugs1795987200011,
  FanOutsOfPublications1795987200020,
  OldestJobs1795987200021,
  InheritedSettings1795987200030,
  MemberErasures1795987200031,
  NewLectures1795987200032,
  UnlinkedStates1795987200040,
  OldReminders1795987200060,
  ReplacedIndexOfReminders1795987200061,
  StudentsOfProgress1795987200070,
];
