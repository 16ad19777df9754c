import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Identity1763700000000 } from './1763700000000-identity.migration.js';
import { Oauth1763700000001 } from './1763700000001-oauth.migration.js';
import { Operations1763700000002 } from './1763700000002-operations.migration.js';
import { ClientDocuments1763700000003 } from './1763700000003-client-documents.migration.js';
import { PasswordResets1763700000004 } from './1763700000004-password-resets.migration.js';
import { SignOuts1763700000005 } from './1763700000005-sign-outs.migration.js';
import { Appearance1763700000010 } from './1763700000010-appearance.migration.js';
import { Passkeys1763700000011 } from './1763700000011-passkeys.migration.js';
import { RandomPersonIds1763900000000 } from './1763900000000-random-person-ids.migration.js';
import { AuditLogPartitions1763900000001 } from './1763900000001-audit-log-partitions.migration.js';
import { ClientOptions1763910000000 } from './1763910000000-client-options.migration.js';
import { RefreshBranch1763910000001 } from './1763910000001-refresh-branch.migration.js';
import { DeletedRegistrations1763910000002 } from './1763910000002-deleted-registrations.migration.js';
import { StudentPeople1763930000000 } from './1763930000000-student-people.migration.js';
import { SiteMembers1763960000000 } from './1763960000000-site-members.migration.js';
import { MemberProfiles1763960000001 } from './1763960000001-member-profiles.migration.js';
import { DropRateLimits1763990000000 } from './1763990000000-drop-rate-limits.migration.js';
import { EventEpochs1764000020001 } from './1764000020001-event-epochs.migration.js';
import { Milliseconds1764000030001 } from './1764000030001-milliseconds.migration.js';
import { AuditLogMonths1764000031000 } from './1764000031000-audit-log-months.migration.js';
import { MailJobs1764000032001 } from './1764000032001-mail-jobs.migration.js';
import { MemberChanges1764000034001 } from './1764000034001-member-changes.migration.js';
import { SiteSchools1764000035000 } from './1764000035000-site-schools.migration.js';
import { WebhookMails1764000253100 } from './1764000253100-webhook-mails.migration.js';
import { FormSubmissions1764000254000 } from './1764000254000-form-submissions.migration.js';
import { RepeatedDecisions1764000254001 } from './1764000254001-repeated-decisions.migration.js';
import { SessionBrowsers1764000254002 } from './1764000254002-session-browsers.migration.js';
import { AuditFilters1764000254003 } from './1764000254003-audit-filters.migration.js';
import { EmailLinks1764000260000 } from './1764000260000-email-links.migration.js';
import { ClientLogos1764000260001 } from './1764000260001-client-logos.migration.js';
import { EmailChanges1764000261000 } from './1764000261000-email-changes.migration.js';
import { ClientSecrets1764000262000 } from './1764000262000-client-secrets.migration.js';
import { SiteLanguages1764000270000 } from './1764000270000-site-languages.migration.js';
import { DeletedSites1764000272001 } from './1764000272001-deleted-sites.migration.js';
import { RefreshState1764000273000 } from './1764000273000-refresh-state.migration.js';
import { ProfilePictures1764000276000 } from './1764000276000-profile-pictures.migration.js';
import { RepeatedPasswordChanges1764000276100 } from './1764000276100-repeated-password-changes.migration.js';
import { MemberTimeZones1764000290000 } from './1764000290000-member-time-zones.migration.js';
import { CourseUrls1764000291000 } from './1764000291000-course-urls.migration.js';
import { ToolUses1764000296800 } from './1764000296800-tool-uses.migration.js';

/** All migrations of the database `auth`, in their order. Append-only. */
export const migrations: Function[] = [
  ...messagingMigrations,
  ...rateLimitMigrations,
  Identity1763700000000,
  Oauth1763700000001,
  Operations1763700000002,
  ClientDocuments1763700000003,
  PasswordResets1763700000004,
  SignOuts1763700000005,
  Appearance1763700000010,
  Passkeys1763700000011,
  RandomPersonIds1763900000000,
  AuditLogPartitions1763900000001,
  ClientOptions1763910000000,
  RefreshBranch1763910000001,
  DeletedRegistrations1763910000002,
  StudentPeople1763930000000,
  SiteMembers1763960000000,
  MemberProfiles1763960000001,
  DropRateLimits1763990000000,
  EventEpochs1764000020001,
  Milliseconds1764000030001,
  AuditLogMonths1764000031000,
  MailJobs1764000032001,
  MemberChanges1764000034001,
  SiteSchools1764000035000,
  WebhookMails1764000253100,
  FormSubmissions1764000254000,
  RepeatedDecisions1764000254001,
  SessionBrowsers1764000254002,
  AuditFilters1764000254003,
  EmailLinks1764000260000,
  ClientLogos1764000260001,
  EmailChanges1764000261000,
  ClientSecrets1764000262000,
  SiteLanguages1764000270000,
  DeletedSites1764000272001,
  RefreshState1764000273000,
  ProfilePictures1764000276000,
  RepeatedPasswordChanges1764000276100,
  MemberTimeZones1764000290000,
  CourseUrls1764000291000,
  ToolUses1764000296800,
];
