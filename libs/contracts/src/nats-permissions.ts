import { MAX_PROGRESS } from './requests/request.js';
import { REVOCATION_SUBJECT } from './revocations.js';
import { SITES_BUCKET } from './sites.js';
import { TOOLS_BUCKET } from './tools.js';

/** The services: each has its own NATS user of the same name. */
export const SERVICES = ['auth', 'admin-api', 'member-api', 'mcp-gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The stream that takes what no consumer could apply. */
export const DEAD_LETTER_STREAM = 'DEAD_LETTERS';

/** Replies to a service come here, and no other user may listen: NATS client option `inboxPrefix`. */
export function inboxPrefix(service: string): string {
  return `_INBOX_${service}`;
}

/** The durable JetStream consumer of a service for one of its readers. */
export function consumerName(service: string, reader: string): string {
  return `${service}-${reader}`;
}

/** Where the dead letters of a consumer go. `reader` may be `*` or `>`. */
export function deadLetterSubject(service: string, reader: string): string {
  return `dead-letters.${service}.${reader}`;
}

/** `permissions` of a user in the configuration of nats-server. What is not listed is refused. */
export interface NatsPermissions {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  /** A service may answer a message to the reply subject that it named, and nothing else of that inbox. */
  readonly allow_responses: { readonly max: number; readonly expires: string };
}

interface Duties {
  /** Context whose events the service publishes, with the stream that keeps them. */
  readonly owns?: { readonly context: string; readonly stream: string };
  /** Readers by the stream that they read. A wildcard cannot match a part of a name, so each one is listed. */
  readonly reads: Readonly<Record<string, readonly string[]>>;
  /** Buckets in which the service may write, with the keys (wildcards of subjects). */
  readonly writes: Readonly<Record<string, string>>;
  /** Buckets that it may create when they are missing. */
  readonly creates: readonly string[];
  /** Buckets that it mirrors. */
  readonly mirrors: readonly string[];
  /** Requests that it may send, beside those to itself. */
  readonly calls: readonly string[];
  /** Core subjects that are heard by whoever listens and kept nowhere. */
  readonly broadcasts: readonly string[];
}

const DUTIES: Readonly<Record<ServiceName, Duties>> = {
  auth: {
    owns: { context: 'identity', stream: 'IDENTITY' },
    reads: { SCHOOL: ['students', 'appearances'] },
    writes: { [SITES_BUCKET]: '>' },
    creates: [SITES_BUCKET],
    mirrors: [],
    calls: [],
    broadcasts: ['broadcast.identity.>'],
  },
  'admin-api': {
    owns: { context: 'school', stream: 'SCHOOL' },
    reads: { IDENTITY: ['roles'] },
    writes: { [TOOLS_BUCKET]: 'admin-api.>' },
    creates: [TOOLS_BUCKET],
    mirrors: [SITES_BUCKET],
    calls: [],
    broadcasts: [],
  },
  'member-api': {
    owns: { context: 'learner', stream: 'LEARNER' },
    reads: {
      SCHOOL: [
        'courses',
        'enrollments',
        'progress',
        'digital-products',
        'digital-product-grants',
        'consulting-services',
        'consulting-purchases',
        'consulting-meetings',
        'events',
        'event-registrations',
        'posts',
        'lectures',
        'comments',
        'subscriptions',
        'announcements',
        'reminders',
      ],
      IDENTITY: ['people', 'roles', 'schools', 'clients'],
    },
    writes: { [TOOLS_BUCKET]: 'member-api.>' },
    creates: [TOOLS_BUCKET],
    mirrors: [SITES_BUCKET],
    calls: [],
    broadcasts: [],
  },
  'mcp-gateway': {
    reads: {},
    writes: { [TOOLS_BUCKET]: 'mcp-gateway.>' },
    creates: [TOOLS_BUCKET],
    mirrors: [SITES_BUCKET, TOOLS_BUCKET],
    calls: ['tools.>', 'requests.auth.describe_person.*'],
    broadcasts: ['broadcast.mcp-gateway.>'],
  },
};

/** JetStream and KV are requests to `$JS.API.…`: only those on the service's own things are allowed. */
function jetStreamSubjects(service: ServiceName, duties: Duties): string[] {
  const streams = new Set([...Object.keys(duties.reads), DEAD_LETTER_STREAM]);
  const buckets = new Set([...duties.mirrors, ...duties.creates, ...Object.keys(duties.writes)]);
  const owned = duties.owns === undefined ? [] : [duties.owns.stream];
  return [
    '$JS.API.INFO',
    ...[...streams, ...owned, ...[...buckets].map(streamOf)].map((stream) => `$JS.API.STREAM.INFO.${stream}`),
    ...owned.flatMap((stream) => [`$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.UPDATE.${stream}`]),
    // What waits for the readers: a republication paces itself by it.
    ...owned.map((stream) => `$JS.API.CONSUMER.LIST.${stream}`),
    ...[DEAD_LETTER_STREAM, ...duties.creates.map(streamOf)].map((stream) => `$JS.API.STREAM.CREATE.${stream}`),
    ...Object.entries(duties.reads).flatMap(([stream, readers]) =>
      readers.flatMap((reader) => [
        ...readerSubjects(stream, consumerName(service, reader)),
        ...rebuildSubjects(stream, consumerName(service, `rebuild-${reader}`)),
      ]),
    ),
    ...deadLetterApi(service),
    ...[...buckets].map((bucket) => `$JS.API.DIRECT.GET.${streamOf(bucket)}.>`),
    ...duties.mirrors.flatMap(mirrorSubjects),
    ...Object.entries(duties.writes).map(([bucket, key]) => `$KV.${bucket}.${key}`),
  ];
}

const streamOf = (bucket: string): string => `KV_${bucket}`;

/** Create, ask for, pull from and acknowledge to one durable consumer (two forms of `$JS.ACK`: without and with domain). */
const readerSubjects = (stream: string, consumer: string): string[] => [
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${consumer}`,
  `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
  `$JS.ACK.${stream}.${consumer}.>`,
  `$JS.ACK.*.*.${stream}.${consumer}.>`,
];

/** Create with one filter, ask for, pull from and delete the short-lived consumer of a rebuild; it acknowledges nothing. */
const rebuildSubjects = (stream: string, consumer: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}.${consumer}.>`,
  `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
  `$JS.API.CONSUMER.DELETE.${stream}.${consumer}`,
];

/** The filter stands in the subject, so a service lists its own dead letters only. */
const deadLetterApi = (service: ServiceName): string[] => [
  deadLetterSubject(service, '*'),
  `$JS.API.CONSUMER.CREATE.${DEAD_LETTER_STREAM}.*.${deadLetterSubject(service, '>')}`,
  `$JS.API.CONSUMER.INFO.${DEAD_LETTER_STREAM}.*`,
  `$JS.API.CONSUMER.DELETE.${DEAD_LETTER_STREAM}.*`,
  `$JS.FC.${DEAD_LETTER_STREAM}.>`,
  `$JS.API.STREAM.MSG.DELETE.${DEAD_LETTER_STREAM}`,
];

/** An ordered, short-lived consumer: made, asked for, left to expire or deleted; its flow control is answered. */
const mirrorSubjects = (bucket: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${streamOf(bucket)}.>`,
  `$JS.API.CONSUMER.INFO.${streamOf(bucket)}.*`,
  `$JS.API.CONSUMER.DELETE.${streamOf(bucket)}.*`,
  `$JS.FC.${streamOf(bucket)}.>`,
];

/** The service whose events the stream keeps. */
export function ownerOf(stream: string): ServiceName | undefined {
  return SERVICES.find((name) => DUTIES[name].owns?.stream === stream);
}

/** True when the service is known to read the stream under that name; names of other services are not judged. */
export function mayRead(service: string, stream: string, reader: string): boolean {
  const known = SERVICES.find((name) => name === service);
  return known === undefined || DUTIES[known].reads[stream]?.includes(reader) === true;
}

/**
 * What the NATS user of a service may publish and hear. Nobody else's inbox, only its own requests and tools to answer,
 * only its own context to write: so a service that was taken over cannot speak for another.
 */
export function natsPermissions(service: ServiceName): NatsPermissions {
  const duties = DUTIES[service];
  return {
    publish: {
      allow: [
        ...(duties.owns === undefined ? [] : [`${duties.owns.context}.>`]),
        ...duties.broadcasts,
        ...duties.calls,
        `requests.${service}.>`,
        ...jetStreamSubjects(service, duties),
      ],
    },
    subscribe: {
      allow: [
        `${inboxPrefix(service)}.>`,
        `requests.${service}.>`,
        `tools.${service}.>`,
        REVOCATION_SUBJECT,
        // What the replicas of a service tell each other.
        `broadcast.${service}.>`,
        // Discovery and statistics of the NATS services protocol.
        '$SRV.*',
        `$SRV.*.${service}`,
        `$SRV.*.${service}.*`,
      ],
    },
    // The progress of a request, and then its reply; no request lives as long as that.
    allow_responses: { max: MAX_PROGRESS + 1, expires: '2m' },
  };
}
