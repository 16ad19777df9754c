import { DUTIES, SERVER_REPLY, callsOf, commandsTo } from './duties.js';
import type { Duties } from './duties.js';
import { cancelSubject } from '../platform/request.js';
import { REVOCATION_SUBJECT } from '../identity/revocations.js';
import {
  PROGRAMS,
  SERVICES,
  SHARED_VALUES_STREAM,
  bucketChanges,
  bucketStream,
  consumerName,
  deadLetterStream,
  deadLetterSubject,
  inboxPrefix,
  sharedValueSubject,
} from '../platform/services.js';
import type { ProgramName, ServiceName } from '../platform/services.js';

/** The account with JetStream: streams, buckets and consumers. No service or program has a user in it. */
export const HUB = 'HUB';

/**
 * Prefix of the hub's JetStream API in a service's account. `$JS.API` is reserved: there the server responds that
 * JetStream is not enabled for the account.
 */
export const HUB_API = 'HUB.API';

/**
 * Users of the hub: `bootstrap` creates streams, buckets and consumers; `admin` may do everything (operators and
 * tests).
 */
export const HUB_USERS = ['bootstrap', 'admin'] as const;
export type NatsUser = ServiceName | ProgramName | (typeof HUB_USERS)[number];

interface Permissions {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
}

/** A subject of one account that another account may use. */
interface Export {
  readonly service?: string;
  readonly stream?: string;
  readonly accounts: readonly string[];
  readonly response_type?: 'stream';
  readonly response_threshold?: string;
}

interface Subject {
  readonly account: string;
  readonly subject: string;
}

interface Import {
  readonly service?: Subject;
  readonly stream?: Subject;
  /** The subject in the importing account, if it differs. */
  readonly to?: string;
}

interface Account {
  readonly jetstream?: 'enabled';
  readonly users: readonly { readonly user: string; readonly password: string; readonly permissions?: Permissions }[];
  readonly exports: readonly Export[];
  readonly imports: readonly Import[];
}

/** A connection between two accounts: requests to a service, or messages of a stream. */
interface Way {
  readonly from: string;
  readonly to: string;
  readonly kind: 'service' | 'stream';
  readonly subject: string;
  /** A request with more than one message as its reply. */
  readonly many?: 'pull' | 'read' | 'call';
}

/**
 * Time that the server keeps the route of a multi-message reply after its last message. A pull lasts thirty seconds,
 * with a heartbeat every fifteen; a call lasts ten.
 */
const THRESHOLDS = { pull: '40s', read: '10s', call: '20s' } as const;

/** A service's JetStream permissions: publish, read, pull, acknowledge, delete own events; never create or change. */
function storageWays(from: ServiceName, { owns, reads, rebuilds, writes, mirrors, shares }: Duties): Way[] {
  const into = (subject: string, many?: Way['many']): Way => ({
    from,
    to: HUB,
    kind: 'service',
    subject,
    ...(many === undefined ? {} : { many }),
  });
  const info = (stream: string): Way => into(`$JS.API.STREAM.INFO.${stream}`);
  const read = (stream: string): Way => into(`$JS.API.DIRECT.GET.${stream}`, 'read');
  const buckets = new Set([...mirrors, ...Object.keys(writes)]);
  const letters = deadLetterStream(from);
  return [
    ...(owns === undefined
      ? []
      : [
          into(`${owns.context}.>`),
          info(owns.stream),
          // The erasure of personal data in own events.
          read(owns.stream),
          into(`$JS.API.STREAM.MSG.DELETE.${owns.stream}`),
          // The consumers' backlog, by which a republication paces itself.
          into(`$JS.API.CONSUMER.LIST.${owns.stream}`),
        ]),
    ...Object.entries(reads).flatMap(([stream, readers]) => [
      ...(rebuilds ? [info(stream), read(stream), into(`$JS.API.STREAM.MSG.GET.${stream}`)] : []),
      ...Object.keys(readers).flatMap((reader) => {
        const consumer = consumerName(from, reader);
        return [
          into(`$JS.API.CONSUMER.INFO.${stream}.${consumer}`),
          into(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, 'pull'),
          into(`$JS.ACK.${stream}.${consumer}.>`),
        ];
      }),
    ]),
    ...(Object.keys(reads).length === 0
      ? []
      : [
          into(deadLetterSubject(from, '*')),
          info(letters),
          read(letters),
          into(`$JS.API.STREAM.MSG.DELETE.${letters}`),
        ]),
    ...[...buckets].flatMap((bucket) => [info(bucketStream(bucket)), read(bucketStream(bucket))]),
    ...Object.entries(writes).flatMap(([bucket, keys]) => [
      into(`$KV.${bucket}.${keys}`),
      // The last value of one key: the subject ends with the key.
      into(`$JS.API.DIRECT.GET.${bucketStream(bucket)}.$KV.${bucket}.${keys}`),
    ]),
    ...(shares
      ? [
          into(sharedValueSubject(from, '*')),
          into(`$JS.API.DIRECT.GET.${SHARED_VALUES_STREAM}.${sharedValueSubject(from, '*')}`),
        ]
      : []),
    ...mirrors.map((bucket): Way => ({ from, to: HUB, kind: 'stream', subject: bucketChanges(bucket) })),
  ];
}

function callWays(from: ServiceName | ProgramName): Way[] {
  return Object.entries(callsOf(from)).flatMap(([to, subjects]) =>
    subjects.map((subject): Way => ({
      from,
      to,
      kind: 'service',
      subject,
      ...(subject.startsWith('tools.') ? { many: 'call' } : {}),
    })),
  );
}

function waysOf(from: ServiceName): Way[] {
  return [
    ...storageWays(from, DUTIES[from]),
    ...callWays(from),
    ...(from === 'auth' ? [] : [{ from, to: 'auth', kind: 'stream', subject: REVOCATION_SUBJECT } as const]),
  ];
}

/** Discovery and statistics of the NATS services protocol, for the operator; and revocations, which tests observe. */
const OPERATOR_WAYS: readonly Way[] = [
  ...SERVICES.map((to): Way => ({ from: HUB, to, kind: 'service', subject: '$SRV.>', many: 'read' })),
  { from: HUB, to: 'auth', kind: 'stream', subject: REVOCATION_SUBJECT },
];

const WAYS: readonly Way[] = [...SERVICES.flatMap(waysOf), ...PROGRAMS.flatMap(callWays), ...OPERATOR_WAYS];

const BOOTSTRAP_PERMISSIONS: Permissions = {
  publish: {
    allow: [
      ...['INFO', 'NAMES', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.>`),
      ...['INFO', 'CREATE', 'DURABLE.CREATE'].map((verb) => `$JS.API.CONSUMER.${verb}.>`),
    ],
  },
  subscribe: { allow: [`${inboxPrefix('bootstrap')}.>`] },
};

/**
 * Subjects that the NATS user of a service may publish and subscribe to. The accounts already isolate services; these
 * lists add errors for violations, and prevent a stolen credential from impersonating parts of the service.
 */
export function natsPermissions(service: ServiceName): Permissions {
  const ways = WAYS.filter(({ from }) => from === service);
  return {
    publish: {
      allow: [
        ...new Set([
          ...ways.filter(({ kind }) => kind === 'service').map(localSubject),
          ...DUTIES[service].broadcasts,
          `requests.${service}.>`,
          // The gateway calls its own tools like those of other services.
          ...(service === 'mcp-gateway' ? [`tools.${service}.>`] : []),
          // Replies. Servers forget on a reload what `allow_responses` allows, and refuse pending replies (ADR 193).
          `${SERVER_REPLY}>`,
          `${inboxPrefix(service)}.>`,
        ]),
      ],
    },
    subscribe: {
      allow: [
        ...new Set([
          ...ways.filter(({ kind }) => kind === 'stream').map(({ subject }) => subject),
          `${inboxPrefix(service)}.>`,
          `requests.${service}.>`,
          `tools.${service}.>`,
          ...commandsTo(service).flatMap((subject) => [subject, cancelSubject(subject)]),
          REVOCATION_SUBJECT,
          '$SRV.*',
          `$SRV.*.${service}`,
          `$SRV.*.${service}.*`,
        ]),
      ],
    },
  };
}

/** A program sends its commands and receives the replies. */
function programPermissions(program: ProgramName): Permissions {
  return {
    publish: { allow: callWays(program).map(({ subject }) => subject) },
    subscribe: { allow: [`${inboxPrefix(program)}.>`] },
  };
}

function exportsOf(account: string): Export[] {
  const groups = Map.groupBy(
    WAYS.filter(({ to }) => to === account),
    ({ kind, subject }) => `${kind} ${subject}`,
  );
  return [...groups.values()].map((ways) => {
    const { kind, subject, many } = ways[0] as Way;
    return {
      ...(kind === 'service' ? { service: subject } : { stream: subject }),
      accounts: ways.map(({ from }) => from),
      ...(many === undefined ? {} : { response_type: 'stream', response_threshold: THRESHOLDS[many] }),
    };
  });
}

/** The subject on which the user publishes, in its own account. */
function localSubject({ subject }: Way): string {
  return subject.replace(/^\$JS\.API\./, `${HUB_API}.`);
}

function importsOf(account: string): Import[] {
  return WAYS.filter(({ from }) => from === account).map((way) => {
    const imported = { account: way.to, subject: way.subject };
    if (way.kind === 'stream') return { stream: imported };
    const to = localSubject(way);
    return to === way.subject ? { service: imported } : { service: imported, to };
  });
}

/**
 * `accounts` of nats-server's configuration. Each service and each program has its own account: within one account, the
 * server publishes a reply to any subject that the request names, without checking permissions; across accounts, a
 * reply can only go to the account of the request (docs/adr/0019-nats-accounts.md).
 */
export function natsAccounts(password: (user: NatsUser) => string): Readonly<Record<string, Account>> {
  const ways = (account: string) => ({ exports: exportsOf(account), imports: importsOf(account) });
  const hub: Account = {
    jetstream: 'enabled',
    users: [
      { user: 'bootstrap', password: password('bootstrap'), permissions: BOOTSTRAP_PERMISSIONS },
      { user: 'admin', password: password('admin') },
    ],
    ...ways(HUB),
  };
  const account = (user: ServiceName | ProgramName, permissions: Permissions): [string, Account] => [
    user,
    { users: [{ user, password: password(user), permissions }], ...ways(user) },
  ];
  const accounts = [
    ...SERVICES.map((service) => account(service, natsPermissions(service))),
    ...PROGRAMS.map((program) => account(program, programPermissions(program))),
  ];
  return { [HUB]: hub, ...Object.fromEntries(accounts) };
}
