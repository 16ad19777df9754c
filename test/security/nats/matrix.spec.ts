import { randomUUID } from 'node:crypto';
import { SERVICES } from '@lyceum/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectAsAdmin } from '../tools/nats.js';
import { Attacker, USERS, eventuallyReceived, type Attempt, type Service } from './attacker.js';
import { BUCKETS, CONSUMERS, CORE, KEYS, STREAMS, SUBJECTS } from './permission-matrix.js';

/** Requests that create, change or list something. No service may send them. */
const ADMINISTRATION = (stream: string): string[] => [
  `STREAM.CREATE.${stream}`,
  `STREAM.UPDATE.${stream}`,
  `STREAM.DELETE.${stream}`,
  `STREAM.PURGE.${stream}`,
  `STREAM.SNAPSHOT.${stream}`,
  `STREAM.RESTORE.${stream}`,
  `CONSUMER.CREATE.${stream}`,
  `CONSUMER.CREATE.${stream}.matrix`,
  `CONSUMER.CREATE.${stream}.matrix.>`,
  `CONSUMER.DURABLE.CREATE.${stream}.matrix`,
  `CONSUMER.NAMES.${stream}`,
];
/** Both names of the API: the server's own, and the one by which services reach the account of the streams. */
const APIS = ['$JS.API', 'HUB.API'] as const;

let admin: NatsConnection;
const attackers = new Map<Service, Attacker>();
const as = (service: Service): Attacker => attackers.get(service)!;

beforeAll(async () => {
  admin = await connectAsAdmin();
  for (const service of USERS) attackers.set(service, await Attacker.as(service));
});
afterAll(async () => {
  for (const [stream, filter] of TRACES) {
    await admin?.request(`$JS.API.STREAM.PURGE.${stream}`, JSON.stringify({ filter }));
  }
  await Promise.all([...attackers.values()].map((attacker) => attacker.close()));
  await admin?.close();
});

/** A value that the replicas of the gateway share. */
const SHARED = { stream: 'SHARED_VALUES', subject: 'shared-values.mcp-gateway.matrix' } as const;
const ALL_STREAMS = [...Object.keys(STREAMS), ...Object.keys(BUCKETS).map((bucket) => `KV_${bucket}`), SHARED.stream];
const stored = async (subject: string): Promise<number> => {
  const stream = Object.keys(SUBJECTS).find((name) => SUBJECTS[name] === subject) ?? `KV_${subject.split('.')[1]}`;
  const reply = await admin.request(`$JS.API.STREAM.INFO.${stream}`, JSON.stringify({ subjects_filter: subject }));
  return reply.json<{ state: { subjects?: Record<string, number> } }>().state.subjects?.[subject] ?? 0;
};
/** Messages that this suite leaves behind. */
const TRACES = [
  ...Object.entries(SUBJECTS),
  [SHARED.stream, SHARED.subject] as const,
  ...KEYS.map(([key]) => [`KV_${key.split('.')[0]}`, `$KV.${key}`] as const),
  ...Object.keys(BUCKETS).map((bucket) => [`KV_${bucket}`, `$KV.${bucket}.received`] as const),
];
const granted = (attempt: Attempt): boolean => attempt !== 'refused';

describe.each([...USERS])('%s', (service) => {
  it.each(Object.entries(STREAMS))('publishes to %s only when it owns it', async (stream, { publish }) => {
    const subject = SUBJECTS[stream]!;
    const before = await stored(subject);
    const attempt = await as(service).attempt(subject, { matrix: true });
    if (service === publish) expect(attempt).toMatchObject({ stream });
    else expect(attempt).toBe('refused');
    expect((await stored(subject)) - before).toBe(service === publish ? 1 : 0);
  });

  it.each(Object.entries(STREAMS))('reads %s only as its reader', async (stream, { read = [], publish }) => {
    const request = (verb: string, body: object): Promise<Attempt> =>
      as(service).attempt(`HUB.API.${verb}.${stream}`, body);
    const may = read.includes(service);
    await admin.request(SUBJECTS[stream]!, '{"matrix":true}');
    expect(granted(await request('DIRECT.GET', { last_by_subj: SUBJECTS[stream]! }))).toBe(may);
    expect(granted(await request('STREAM.INFO', {}))).toBe(may || service === publish);
    // Only member-api rebuilds read models; its leader reads the last message of a stream.
    const rebuilds = service === 'member-api' && (stream === 'SCHOOL' || stream === 'IDENTITY');
    expect(granted(await request('STREAM.MSG.GET', { last_by_subj: SUBJECTS[stream]! }))).toBe(rebuilds);
  });

  it.each(Object.entries(STREAMS))('deletes from %s only as its owner', async (stream, { remove }) => {
    const { seq } = (await admin.request(SUBJECTS[stream]!, '{"matrix":true}')).json<{ seq: number }>();
    const attempts = [];
    for (const api of APIS) attempts.push(await as(service).attempt(`${api}.STREAM.MSG.DELETE.${stream}`, { seq }));
    const left = (await admin.request(`$JS.API.STREAM.MSG.GET.${stream}`, JSON.stringify({ seq }))).json();
    if (service === remove) {
      expect(attempts).toEqual(['refused', expect.objectContaining({ success: true })]);
      expect(left).toHaveProperty('error');
    } else {
      expect(attempts).toEqual(['refused', 'refused']);
      expect(left).not.toHaveProperty('error');
    }
  });

  it.each(ALL_STREAMS)('creates and changes nothing about %s', async (stream) => {
    const config = {
      name: stream,
      subjects: ['matrix.>'],
      deliver_subject: 'tools.admin-api.matrix',
      durable_name: 'matrix',
    };
    for (const subject of APIS.flatMap((api) => ADMINISTRATION(stream).map((verb) => `${api}.${verb}`))) {
      const refusals = await as(service).publish(subject, JSON.stringify({ ...config, stream_name: stream, config }));
      expect(refusals).toEqual([expect.stringContaining(`Permissions Violation for Publish to "${subject}"`)]);
    }
  });

  it.each(ALL_STREAMS)('lists the consumers of %s only as its owner, through the hub account', async (stream) => {
    const isOwner = STREAMS[stream]?.publish === service && !stream.startsWith('DEAD_LETTERS');
    expect(await as(service).attempt(`$JS.API.CONSUMER.LIST.${stream}`, {})).toBe('refused');
    expect(granted(await as(service).attempt(`HUB.API.CONSUMER.LIST.${stream}`, {}))).toBe(isOwner);
  });

  it.each(CONSUMERS)('pulls from %s %s only as its reader, and never deletes it', async (stream, consumer, reader) => {
    const may = service === reader;
    expect(granted(await as(service).attempt(`HUB.API.CONSUMER.INFO.${stream}.${consumer}`))).toBe(may);
    const pull = await as(service).attempt(`HUB.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, {
      batch: 1,
      no_wait: true,
    });
    expect(granted(pull)).toBe(may);
    // An acknowledgement without a delivery has no effect.
    expect((await as(service).publish(`$JS.ACK.${stream}.${consumer}.1.0.0.0.0`, '')).length).toBe(may ? 0 : 1);
    for (const api of APIS) {
      for (const verb of ['DELETE', 'PAUSE', 'RESET', 'UNPIN', 'LEADER.STEPDOWN']) {
        expect(await as(service).attempt(`${api}.CONSUMER.${verb}.${stream}.${consumer}`)).toBe('refused');
      }
    }
  });

  it.each(Object.entries(BUCKETS))('mirrors the bucket %s only where the table says so', async (bucket, may) => {
    const received: string[] = [];
    const refusals = await as(service).listen(`kv-changes.${bucket}.>`, received);
    expect(refusals.length).toBe(may.mirror.includes(service) ? 0 : 1);
    expect(granted(await as(service).attempt(`HUB.API.STREAM.INFO.KV_${bucket}`))).toBe(may.read.includes(service));
    const batch = await as(service).attempt(`HUB.API.DIRECT.GET.KV_${bucket}`, { seq: 1, batch: 1, next_by_subj: '>' });
    expect(granted(batch)).toBe(may.read.includes(service));
    for (const api of APIS)
      expect(await as(service).attempt(`${api}.STREAM.MSG.DELETE.KV_${bucket}`, { seq: 1 })).toBe('refused');
    expect(await as(service).listen(`$KV.${bucket}.>`)).toHaveLength(1);
    if (!may.mirror.includes(service)) return;
    await admin.request(`$KV.${bucket}.received`, '{}');
    await eventuallyReceived(received, `kv-changes.${bucket}.received`);
  });

  it.each(KEYS)('writes the key %s only as its writer', async (key, writer) => {
    const subject = `$KV.${key}`;
    const attempt = await as(service).attempt(subject, '{}');
    if (service === writer) expect(attempt).toMatchObject({ stream: `KV_${key.split('.')[0]}` });
    else expect(attempt).toBe('refused');
    if (service === writer) written.add(key);
    expect(await stored(subject)).toBe(written.has(key) ? 1 : 0);
  });

  it('writes and reads the shared values of the gateway only as the gateway, key by key', async () => {
    const { stream, subject } = SHARED;
    const may = service === 'mcp-gateway';
    await admin.request(subject, '{"matrix":true}');
    const written = await as(service).attempt(subject, { by: service });
    if (may) expect(written).toMatchObject({ stream });
    else expect(written).toBe('refused');
    expect(await as(service).listen(subject)).toHaveLength(1);
    const read = await as(service).attempt(`HUB.API.DIRECT.GET.${stream}.${subject}`);
    expect(read).toEqual(may ? { by: service } : 'refused');
    for (const api of APIS) {
      for (const verb of ['DIRECT.GET', 'STREAM.INFO', 'STREAM.MSG.GET', 'STREAM.MSG.DELETE', 'STREAM.PURGE'])
        expect(await as(service).attempt(`${api}.${verb}.${stream}`, { last_by_subj: subject })).toBe('refused');
    }
  });

  it.each(CORE)('publishes and receives %s only as the table says', async (subject, publishers, listeners) => {
    const received: string[] = [];
    expect(await as(service).listen(subject, received)).toHaveLength(listeners.includes(service) ? 0 : 1);
    expect(await as(service).publish(subject, 'x')).toHaveLength(publishers.includes(service) ? 0 : 1);
  });

  it('subscribes to no wildcard over foreign subjects', async () => {
    for (const subject of [
      '>',
      'tools.>',
      'requests.>',
      'commands.>',
      '_INBOX.>',
      '_R_.>',
      '$JS.>',
      '$KV.>',
      '$SYS.>',
      'school.>',
      'identity.>',
    ]) {
      expect([subject, await as(service).listen(subject)]).toEqual([subject, [expect.stringContaining('Violation')]]);
    }
  });
});

/** Keys that an earlier service of the loop has written. */
const written = new Set<string>();

/** The allowed cells between services: messages arrive. */
describe('a message between two services', () => {
  const WAYS: readonly (readonly [
    subject: string,
    from: Service,
    to: readonly Service[],
    never: readonly Service[],
  ])[] = [
    ['broadcast.identity.revocation.v1', 'auth', [...SERVICES], []],
    ['tools.admin-api.tool.matrix.1', 'mcp-gateway', ['admin-api'], ['auth', 'member-api', 'mcp-gateway']],
    ['tools.member-api.tool.matrix.1', 'mcp-gateway', ['member-api'], ['auth', 'admin-api', 'mcp-gateway']],
    ['commands.school.progress.record.v1', 'storefront', ['admin-api'], ['auth', 'member-api', 'mcp-gateway']],
    ['requests.admin-api.list_activity.v0', 'auth', ['admin-api'], ['auth', 'member-api', 'mcp-gateway']],
    ['requests.auth.describe_person.v0', 'mcp-gateway', ['auth'], ['admin-api', 'member-api', 'mcp-gateway']],
  ];

  it.each(WAYS)('travels on %s from %s only to %j', async (subject, from, to, never) => {
    const marker = randomUUID();
    const received = new Map<Service, string[]>();
    for (const service of [...to, ...never]) {
      const lines: string[] = [];
      received.set(service, lines);
      await as(service).listen(subject, lines);
    }
    await as(from).publish(subject, JSON.stringify({ marker }));
    for (const service of to) await eventuallyReceived(received.get(service)!, marker);
    for (const service of never) await as(service).connection.flush();
    expect(never.filter((service) => received.get(service)!.some((line) => line.includes(marker)))).toEqual([]);
  });
});
