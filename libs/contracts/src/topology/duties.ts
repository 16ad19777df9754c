import { announcementEvents } from '../school/announcement.js';
import { appearanceEvents } from '../school/appearance.js';
import { consultingBookingEvents, consultingPurchaseEvents, consultingServiceEvents } from '../school/consulting.js';
import { commentEvents } from '../school/comments.js';
import { postEvents } from '../school/content.js';
import { curriculumEvents, lectureAttachmentEvents } from '../school/curriculum.js';
import { announcementDeliveryEvents } from '../learner/announcement-deliveries.js';
import { exportMemberData } from '../learner/personal-data.js';
import { linkFile } from '../school/files.js';
import { digitalProductEvents, digitalProductGrantEvents } from '../school/digital-products.js';
import type { EntityEvents, EventContext } from '../platform/event.js';
import { MEMBER_REQUESTS } from '../identity/members.js';
import { clientEvents, personEvents, roleEvents, siteEvents } from '../identity/events.js';
import { eventRegistrationEvents, eventEvents } from '../school/learning-events.js';
import { subscriptionEvents } from '../school/membership.js';
import { exportSchoolData } from '../school/personal-data.js';
import { PUBLIC_ENTITIES } from '../school/public-entities.js';
import { progressEvents } from '../school/progress.js';
import { schoolEvents } from '../school/school.js';
import { SITE_SETTINGS_REQUESTS } from '../school/site-settings.js';
import { courseEvents, enrollmentEvents, studentEvents } from '../school/courses.js';
import { textEvents } from '../school/texts.js';
import { webhookEndpointEvents } from '../school/webhooks.js';
import { STOREFRONT_COMMANDS } from '../school/storefront.js';
import { PROGRAMS, inboxPrefix } from '../platform/services.js';
import type { ProgramName, ServiceName } from '../platform/services.js';
import { SITES_BUCKET } from '../identity/sites.js';
import { TOOLS_BUCKET } from '../tools/tools.js';

/** The streams of domain events, one for each context. */
export type StreamName = 'IDENTITY' | 'SCHOOL' | 'LEARNER';

type Readers = Readonly<Record<string, readonly EntityEvents[]>>;

type Calls = Readonly<Partial<Record<ServiceName, readonly string[]>>>;

/** Permissions of a NATS user; everything else is refused. A program that only sends requests has `calls` alone. */
export interface Duties {
  /** Context whose events the service publishes, and the stream that stores them. */
  readonly owns?: { readonly context: EventContext; readonly stream: StreamName };
  /** Consumers by stream, with the events of each. */
  readonly reads: Readonly<Partial<Record<StreamName, Readers>>>;
  /** True when the service can rebuild its read models, which requires reading whole streams. */
  readonly rebuilds: boolean;
  /** Buckets in which the service may write, with the keys (subject wildcards). */
  readonly writes: Readonly<Record<string, string>>;
  /** Buckets that the service mirrors. */
  readonly mirrors: readonly string[];
  /** True when the replicas of the service share values in the memory of NATS. */
  readonly shares: boolean;
  /** Requests to other services, by service. Every service may send requests to itself. */
  readonly calls: Calls;
  /** Core subjects that other services receive; not stored. */
  readonly broadcasts: readonly string[];
}

export const DUTIES: Readonly<Record<ServiceName, Duties>> = {
  auth: {
    owns: { context: 'identity', stream: 'IDENTITY' },
    reads: {
      SCHOOL: {
        students: [studentEvents],
        appearances: [appearanceEvents],
        schools: [schoolEvents],
        'webhook-endpoints': [webhookEndpointEvents],
      },
    },
    rebuilds: false,
    writes: { [SITES_BUCKET]: '>' },
    mirrors: [],
    shares: false,
    calls: {
      'admin-api': [
        'requests.admin-api.list_activity.*',
        'requests.admin-api.switch_mcp_connections.*',
        ...SITE_SETTINGS_REQUESTS.map(({ subject }) => subject),
        exportSchoolData.subject,
      ],
      'member-api': [exportMemberData.subject],
    },
    broadcasts: ['broadcast.identity.>'],
  },
  'admin-api': {
    owns: { context: 'school', stream: 'SCHOOL' },
    reads: {
      IDENTITY: {
        roles: [roleEvents],
        'member-changes': [roleEvents],
        clients: [clientEvents],
        'site-deletions': [siteEvents],
      },
      SCHOOL: PUBLIC_ENTITIES,
      LEARNER: { 'announcement-deliveries': [announcementDeliveryEvents] },
    },
    rebuilds: false,
    writes: { [TOOLS_BUCKET]: 'admin-api.>' },
    mirrors: [SITES_BUCKET],
    shares: false,
    calls: { auth: [...MEMBER_REQUESTS.map(({ subject }) => subject), 'requests.auth.resend_student_invitation.*'] },
    broadcasts: [],
  },
  'member-api': {
    owns: { context: 'learner', stream: 'LEARNER' },
    reads: {
      SCHOOL: {
        courses: [courseEvents],
        enrollments: [enrollmentEvents],
        progress: [progressEvents],
        'digital-products': [digitalProductEvents],
        'digital-product-grants': [digitalProductGrantEvents],
        'consulting-services': [consultingServiceEvents],
        'consulting-purchases': [consultingPurchaseEvents],
        'consulting-bookings': [consultingBookingEvents],
        events: [eventEvents],
        'event-registrations': [eventRegistrationEvents],
        posts: [postEvents],
        curricula: [curriculumEvents],
        'lecture-attachments': [lectureAttachmentEvents],
        texts: [textEvents],
        comments: [commentEvents],
        subscriptions: [subscriptionEvents],
        announcements: [announcementEvents],
        reminders: [eventEvents, consultingBookingEvents],
      },
      IDENTITY: {
        people: [personEvents],
        roles: [roleEvents],
        schools: [siteEvents],
        clients: [clientEvents],
        'site-deletions': [siteEvents],
      },
    },
    rebuilds: true,
    writes: { [TOOLS_BUCKET]: 'member-api.>' },
    mirrors: [SITES_BUCKET],
    shares: false,
    calls: { 'admin-api': [linkFile.subject] },
    broadcasts: [],
  },
  'mcp-gateway': {
    reads: {},
    rebuilds: false,
    writes: { [TOOLS_BUCKET]: 'mcp-gateway.>' },
    mirrors: [SITES_BUCKET, TOOLS_BUCKET],
    // It has no database, so its rate limits count there.
    shares: true,
    calls: {
      auth: ['requests.auth.describe_person.*'],
      'admin-api': ['tools.admin-api.>'],
      'member-api': ['tools.member-api.>'],
    },
    broadcasts: [],
  },
};

/** The commands that programs send, by the service that responds. */
const COMMANDS: Readonly<Record<ProgramName, Calls>> = {
  storefront: { 'admin-api': STOREFRONT_COMMANDS.map(({ subject }) => subject) },
};

const NAMES = Object.keys(DUTIES) as ServiceName[];

/** Requests that a service or a program may send to others, by the service that answers. */
export function callsOf(name: ServiceName | ProgramName): Calls {
  return name in COMMANDS ? COMMANDS[name as ProgramName] : DUTIES[name as ServiceName].calls;
}

/** The commands of programs that the service answers, by their subjects. */
export function commandsTo(service: ServiceName): readonly string[] {
  return PROGRAMS.flatMap((program) => COMMANDS[program][service] ?? []);
}

/** The service whose events the stream keeps. */
export function ownerOf(stream: string): ServiceName | undefined {
  return NAMES.find((name) => DUTIES[name].owns?.stream === stream);
}

/** The stream of the service's events; undefined for a service without events. */
export function streamOf(service: string): StreamName | undefined {
  return NAMES.map((name) => ({ name, stream: DUTIES[name].owns?.stream })).find(({ name }) => name === service)
    ?.stream;
}

/** The stream of the entity's events. */
export function streamKeeping({ context }: Pick<EntityEvents, 'context'>): StreamName {
  const stream = NAMES.map((name) => DUTIES[name].owns).find((owned) => owned?.context === context)?.stream;
  if (stream === undefined) throw new Error(`No service owns the context ${context}`);
  return stream;
}

/** All consumers among the duties of the service. */
export function consumersOf(
  service: ServiceName,
): { reader: string; stream: StreamName; events: readonly EntityEvents[] }[] {
  return Object.entries(DUTIES[service].reads).flatMap(([stream, readers]) =>
    Object.entries(readers).map(([reader, events]) => ({ reader, stream: stream as StreamName, events })),
  );
}

/** The events of a consumer of the service; undefined for an unknown consumer. */
export function eventsOf(service: string, stream: StreamName, reader: string): readonly EntityEvents[] | undefined {
  const known = NAMES.find((name) => name === service);
  return known === undefined ? undefined : DUTIES[known].reads[stream]?.[reader];
}

/** Returns the senders of requests on a subject: its service, and the services and programs whose duties name it. */
function callersOf(service: string, subject: string): string[] {
  const others = [...NAMES, ...PROGRAMS].filter((name) => {
    const patterns = Object.values(callsOf(name)).flat();
    return patterns.some((pattern) => subjectMatches(pattern, subject));
  });
  return [service, ...others];
}

/** Subject prefix that only the server creates, for replies to requests from another account. */
export const SERVER_REPLY = '_R_.';

/** The address of the reply to a message, and the server's statement about a request from another account. */
export interface ReplyAddress {
  readonly reply: string | undefined;
  readonly account: string | undefined;
}

/**
 * Returns the check of requests on a subject of the service: true when the reply goes to a service or program that may
 * send them. A message from a stream has no reply subject, or `$JS.ACK.…`.
 */
export function callerCheck(service: string, subject: string): (message: ReplyAddress) => boolean {
  const callers = callersOf(service, subject);
  const inboxes = callers.map((caller) => `${inboxPrefix(caller)}.`);
  return ({ reply, account }) => {
    if (reply?.startsWith(SERVER_REPLY) === true) return account !== undefined && callers.includes(account);
    return inboxes.some((inbox) => reply?.startsWith(inbox) === true);
  };
}

/** NATS wildcards: `*` is one token, `>` at the end is one or more. */
export function subjectMatches(pattern: string, subject: string): boolean {
  const [wanted, given] = [pattern.split('.'), subject.split('.')];
  const open = wanted.at(-1) === '>';
  if (open ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every(
    (token, index) => token === '*' || token === given[index] || (open && index === wanted.length - 1),
  );
}
