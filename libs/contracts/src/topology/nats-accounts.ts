import { DUTIES } from './duties.js';
import type { Duties } from './duties.js';
import { MAX_PROGRESS } from '../platform/request.js';
import { REVOCATION_SUBJECT } from '../identity/revocations.js';
import {
  SERVICES,
  bucketChanges,
  bucketStream,
  consumerName,
  deadLetterStream,
  deadLetterSubject,
  inboxPrefix,
} from '../platform/services.js';
import type { ServiceName } from '../platform/services.js';

/** The account that has JetStream: streams, buckets and consumers. No service has a user in it. */
export const HUB = 'HUB';

/**
 * The JetStream API of the hub in the account of a service. `$JS.API` is taken there: the server itself answers that
 * JetStream is not enabled in this account.
 */
export const HUB_API = 'HUB.API';

/** Users of the hub: `bootstrap` makes streams, buckets and consumers; `admin` may do everything (operators and tests). */
export const HUB_USERS = ['bootstrap', 'admin'] as const;
export type NatsUser = ServiceName | (typeof HUB_USERS)[number];

interface Permissions {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  /** A user may reply to a request with so many messages, and send nothing else to that inbox. */
  readonly allow_responses?: { readonly max: number; readonly expires: string };
}

/** A subject of one account that another one may use. */
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
  /** The subject in the importing account, where it is another one. */
  readonly to?: string;
}

interface Account {
  readonly jetstream?: 'enabled';
  readonly users: readonly { readonly user: string; readonly password: string; readonly permissions?: Permissions }[];
  readonly exports: readonly Export[];
  readonly imports: readonly Import[];
}

/** The way from one account into another: a service is called, a stream is listened to. */
interface Way {
  readonly from: string;
  readonly to: string;
  readonly kind: 'service' | 'stream';
  readonly subject: string;
  /** A request that gets more than one message as its reply. */
  readonly many?: 'pull' | 'read' | 'call';
}

/**
 * How long the server keeps the way back of a reply that has several messages, after the last one. A pull lasts thirty
 * seconds, with a sign of life in half of that; a call ten.
 */
const THRESHOLDS = { pull: '40s', read: '10s', call: '20s' } as const;

/** What a service may ask of JetStream: publish, read, pull, acknowledge; never create or change. */
function storageWays(from: ServiceName, { owns, reads, rebuilds, writes, mirrors }: Duties): Way[] {
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
          // What waits for the readers: a republication paces itself by it.
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
    ...mirrors.map((bucket): Way => ({ from, to: HUB, kind: 'stream', subject: bucketChanges(bucket) })),
  ];
}

function waysOf(from: ServiceName): Way[] {
  const duties = DUTIES[from];
  return [
    ...storageWays(from, duties),
    ...Object.entries(duties.calls).flatMap(([to, subjects]) =>
      subjects.map((subject): Way => ({
        from,
        to,
        kind: 'service',
        subject,
        ...(subject.startsWith('tools.') ? { many: 'call' } : {}),
      })),
    ),
    ...(from === 'auth' ? [] : [{ from, to: 'auth', kind: 'stream', subject: REVOCATION_SUBJECT } as const]),
  ];
}

/** Discovery and statistics of the NATS services protocol, for the operator; and revocations, which tests observe. */
const OPERATOR_WAYS: readonly Way[] = [
  ...SERVICES.map((to): Way => ({ from: HUB, to, kind: 'service', subject: '$SRV.>', many: 'read' })),
  { from: HUB, to: 'auth', kind: 'stream', subject: REVOCATION_SUBJECT },
];

const WAYS: readonly Way[] = [...SERVICES.flatMap(waysOf), ...OPERATOR_WAYS];

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
 * What the NATS user of a service may publish and receive. Its account decides what reaches others; these lists make the
 * server say so, and keep a stolen credential from posing as the service's own parts.
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
          // The gateway calls its own tools as it calls those of the others.
          ...(service === 'mcp-gateway' ? [`tools.${service}.>`] : []),
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
          REVOCATION_SUBJECT,
          `broadcast.${service}.>`,
          '$SRV.*',
          `$SRV.*.${service}`,
          `$SRV.*.${service}.*`,
        ]),
      ],
    },
    // The progress of a request, and then its reply; no request lives as long as that.
    allow_responses: { max: MAX_PROGRESS + 1, expires: '2m' },
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

/** The subject that the user publishes on, in its own account. */
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
 * `accounts` of the configuration of nats-server. Each service is an account of its own, because a server in one account
 * publishes every reply wherever the request says, without a look at the permissions: across accounts a reply can only
 * go back to the account that asked (docs/adr/0019-nats-accounts.md).
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
  const accounts = SERVICES.map((service): [string, Account] => [
    service,
    {
      users: [{ user: service, password: password(service), permissions: natsPermissions(service) }],
      ...ways(service),
    },
  ]);
  return { [HUB]: hub, ...Object.fromEntries(accounts) };
}
