import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Baseline1763700000000 } from './1763700000000-baseline.migration.js';
import { GrantEndings1795987200000 } from './1795987200000-grant-endings.migration.js';
import { ForeignKeyIndexes1795987200001 } from './1795987200001-foreign-key-indexes.migration.js';
import { DropSiteRoles1795987200010 } from './1795987200010-drop-site-roles.migration.js';
import { UnusedRegistrations1795987200020 } from './1795987200020-unused-registrations.migration.js';
import { DeletedStudents1795987200021 } from './1795987200021-deleted-students.migration.js';
import { InvitationsOfPerson1795987200022 } from './1795987200022-invitations-of-person.migration.js';
import { FiltersOfMembers1795987200030 } from './1795987200030-filters-of-members.migration.js';
import { RowsOfAddresses1795987200031 } from './1795987200031-rows-of-addresses.migration.js';
import { ToolConnections1795987200040 } from './1795987200040-tool-connections.migration.js';

/** All migrations of the database `auth`, in their order. Append-only. */
export const migrations: Function[] = [
  ...messagingMigrations,
  ...rateLimitMigrations,
  Baseline1763700000000,
  GrantEndings1795987200000,
  ForeignKeyIndexes1795987200001,
  DropSiteRoles1795987200010,
  UnusedRegistrations1795987200020,
  DeletedStudents1795987200021,
  InvitationsOfPerson1795987200022,
  FiltersOfMembers1795987200030,
  RowsOfAddresses1795987200031,
  ToolConnections1795987200040,
];
