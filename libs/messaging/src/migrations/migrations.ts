import { BulkEvents1793000000004 } from './bulk-events.migration.js';
import { EventErasureLease1795987260000 } from './event-erasure-lease.migration.js';
import { EventErasureSubjects1795987260002 } from './event-erasure-subjects.migration.js';
import { EventErasures1793000000003 } from './event-erasures.migration.js';
import { EventEpoch1793000000002 } from './event-epoch.migration.js';
import { InboxOrder1795987260001 } from './inbox-order.migration.js';
import { MessagingMilliseconds1793000000001 } from './milliseconds.migration.js';
import { OutboxInbox1793000000000 } from './outbox-inbox.migration.js';
import { SiteErasures1764000272000 } from './site-erasures.migration.js';

/** Each app with a database puts these among its migrations. */
export const messagingMigrations = [
  OutboxInbox1793000000000,
  MessagingMilliseconds1793000000001,
  EventEpoch1793000000002,
  EventErasures1793000000003,
  BulkEvents1793000000004,
  SiteErasures1764000272000,
  EventErasureLease1795987260000,
  InboxOrder1795987260001,
  EventErasureSubjects1795987260002,
];
