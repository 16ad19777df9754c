import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { ReadModels1763683200000 } from './1763683200000-read-models.js';
import { Learner1763683200001 } from './1763683200001-learner.js';
import { RateLimit1763683200002 } from './1763683200002-rate-limit.js';
import { NotificationDelivery1763690000000 } from './1763690000000-notification-delivery.js';
import { Posts1763690000001 } from './1763690000001-posts.js';
import { Purchases1763691000000 } from './1763691000000-purchases.js';
import { Audiences1763692000000 } from './1763692000000-audiences.js';
import { Clients1763920000001 } from './1763920000001-clients.js';
import { MemberProfiles1763961000000 } from './1763961000000-member-profiles.js';
import { PublicSiteIds1763961000001 } from './1763961000001-public-site-ids.js';
import { EventEpochs1764000020002 } from './1764000020002-event-epochs.js';
import { Milliseconds1764000030002 } from './1764000030002-milliseconds.js';
import { AmericanSpelling1764000030012 } from './1764000030012-american-spelling.js';
import { TicketIds1764000040002 } from './1764000040002-ticket-ids.js';
import { Messages1764000040003 } from './1764000040003-messages.js';
import { Jobs1764000070002 } from './1764000070002-jobs.js';
import { PluralTables1764000070012 } from './1764000070012-plural-tables.js';
import { Curricula1764000110000 } from './1764000110000-curricula.js';
import { ConsultingBookings1764000191000 } from './1764000191000-consulting-bookings.js';
import { LectureAttachments1764000241000 } from './1764000241000-lecture-attachments.js';
import { CanceledEvents1764000247010 } from './1764000247010-canceled-events.js';
import { PostStates1764000260000 } from './1764000260000-post-states.js';
import { NotificationsOfRows1764000262000 } from './1764000262000-notifications-of-rows.js';
import { Channels1764000262001 } from './1764000262001-channels.js';
import { TicketNames1764000262002 } from './1764000262002-ticket-names.js';
import { SiteLanguages1764000275100 } from './1764000275100-site-languages.js';
import { FirstStarts1764000281000 } from './1764000281000-first-starts.js';
import { PaidPosts1764000288000 } from './1764000288000-paid-posts.js';
import { Subscriptions1764000287000 } from './1764000287000-subscriptions.js';
import { CourseUrls1764000291100 } from './1764000291100-course-urls.js';
import { CurriculumPieces1764000292000 } from './1764000292000-curriculum-pieces.js';
import { Texts1764000293000 } from './1764000293000-texts.js';
import { MemberTimeZones1764000294000 } from './1764000294000-member-time-zones.js';
import { MailDigests1764000320000 } from './1764000320000-mail-digests.js';
import { ReplyNotifications1764000294001 } from './1764000294001-reply-notifications.js';
import { FanOutRecipients1764000366350 } from './1764000366350-fan-out-recipients.js';

export const migrations = [
  ReadModels1763683200000,
  Learner1763683200001,
  RateLimit1763683200002,
  NotificationDelivery1763690000000,
  Posts1763690000001,
  Purchases1763691000000,
  Audiences1763692000000,
  Clients1763920000001,
  MemberProfiles1763961000000,
  PublicSiteIds1763961000001,
  EventEpochs1764000020002,
  Milliseconds1764000030002,
  AmericanSpelling1764000030012,
  TicketIds1764000040002,
  Messages1764000040003,
  Jobs1764000070002,
  PluralTables1764000070012,
  Curricula1764000110000,
  ConsultingBookings1764000191000,
  LectureAttachments1764000241000,
  CanceledEvents1764000247010,
  PostStates1764000260000,
  NotificationsOfRows1764000262000,
  Channels1764000262001,
  TicketNames1764000262002,
  SiteLanguages1764000275100,
  FirstStarts1764000281000,
  Subscriptions1764000287000,
  PaidPosts1764000288000,
  CourseUrls1764000291100,
  CurriculumPieces1764000292000,
  Texts1764000293000,
  MemberTimeZones1764000294000,
  ReplyNotifications1764000294001,
  MailDigests1764000320000,
  FanOutRecipients1764000366350,
  ...messagingMigrations,
  ...rateLimitMigrations,
];
