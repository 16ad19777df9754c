import { randomUUID } from 'node:crypto';
import { bucketValues, eventually } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { call, operatorToken, site } from '../tools/attack.js';
import { connectAsAdmin, declaredTools } from '../tools/nats.js';
import { Attacker, forgedHeaders, USERS, type Attempt, type Service } from './attacker.js';

/** The stream and the context of the services that own one. */
const OWNERS = [
  ['auth', 'IDENTITY', 'identity'],
  ['admin-api', 'SCHOOL', 'school'],
  ['member-api', 'LEARNER', 'learner'],
] as const satisfies readonly (readonly [Service, string, string])[];

let admin: NatsConnection;
let createCourse: string;
/** Everything that is published in the account of the streams. */
const seen: string[] = [];
const attackers = new Map<Service, Attacker>();
const as = (service: Service): Attacker => attackers.get(service)!;

beforeAll(async () => {
  admin = await connectAsAdmin();
  for (const service of USERS) attackers.set(service, await Attacker.as(service));
  const { service, name, version } = (await declaredTools()).find((tool) => tool.name === 'create_course')!;
  createCourse = `tools.${service}.tool.${name}.${version}`;
  for (const subject of ['school.>', 'identity.>', 'learner.>', '$KV.sites.>']) {
    admin.subscribe(subject, {
      callback: (_error, message) => void seen.push(`${message.subject} ${message.string()}`),
    });
  }
  await admin.flush();
});
afterAll(async () => {
  await Promise.all([...attackers.values()].map((attacker) => attacker.close()));
  await admin?.close();
});

const mentions = (marker: string): string[] => seen.filter((line) => line.includes(marker));
const succeeded = (attempt: Attempt): boolean => typeof attempt === 'object' && !('error' in attempt);

/** Creates a course and waits for its event: everything sent before has then had its effect. */
async function createRightfully(): Promise<void> {
  const slug = `rightful-${randomUUID()}`;
  const token = await operatorToken(undefined, { role: 'admin', kind: 'confidential' });
  const { result } = await call('create_course', { name: slug, slug }, { token });
  expect(result?.isError).not.toBe(true);
  await eventually(() => mentions(slug).length);
}

describe.each(['member-api', 'auth', 'admin-api'] as const)('N03: a dead letter of %s', (service) => {
  it('does not reach a tool through a push consumer', async () => {
    const slug = `forged-${service}-${randomUUID()}`;
    const body = JSON.stringify({ arguments: { name: slug, slug } });
    const own = `dead-letters.${service}.x`;
    await as(service).publish(own, body, { headers: forgedHeaders(site.site_id) });
    for (const stream of ['DEAD_LETTERS', `DEAD_LETTERS_${service}`]) {
      const config = {
        filter_subject: `dead-letters.${service}.>`,
        deliver_subject: createCourse,
        deliver_group: 'admin-api',
        ack_policy: 'none',
        deliver_policy: 'all',
        name: 'forger',
      };
      const created = [
        await as(service).attempt(`$JS.API.CONSUMER.CREATE.${stream}.forger.dead-letters.${service}.>`, {
          stream_name: stream,
          config,
        }),
        await as(service).attempt(`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.forger`, {
          stream_name: stream,
          config: { ...config, durable_name: 'forger' },
        }),
      ];
      expect(created.filter(succeeded)).toEqual([]);
    }
    await createRightfully();
    expect(mentions(slug)).toEqual([]);
  });
});

describe.each(OWNERS)('N09–N12: %s, the owner of %s', (service, stream, context) => {
  const update = (change: object): Promise<Attempt> =>
    as(service).attempt(`$JS.API.STREAM.UPDATE.${stream}`, { name: stream, subjects: [`${context}.>`], ...change });

  it('forges no event by a republishing stream (N09)', async () => {
    const marker = randomUUID();
    const foreign = context === 'school' ? 'identity.person.created.v1' : 'school.student.created.v1';
    expect(await update({ republish: { src: `${context}.attack.>`, dest: foreign } })).toBe('refused');
    await as(service).publish(`${context}.attack.x`, marker);
    await admin.flush();
    expect(mentions(marker).filter((line) => !line.startsWith(`${context}.attack.`))).toEqual([]);
  });

  it('writes no site by a republishing stream (N10)', async () => {
    const key = randomUUID();
    expect(await update({ republish: { src: `${context}.attack.>`, dest: `$KV.sites.${key}` } })).toBe('refused');
    await as(service).publish(`${context}.attack.x`, '{}');
    await admin.flush();
    expect((await bucketValues(admin, 'sites')).has(key)).toBe(false);
  });

  it.each(['tools.>', '_INBOX_mcp-gateway.>'])(
    'receives no calls by adding %s to the stream (N11, N12)',
    async (more) => {
      const received: string[] = [];
      const inbox = `_INBOX_${service}.spy`;
      await as(service).listen(`${inbox}.>`, received);
      const republish = { src: '>', dest: `${inbox}.>` };
      expect(await update({ subjects: [`${context}.>`, more], republish })).toBe('refused');
      await createRightfully();
      expect(received).toEqual([]);
    },
  );

  it('copies no other stream by sources', async () => {
    const source = stream === 'IDENTITY' ? 'SCHOOL' : 'IDENTITY';
    expect(await update({ sources: [{ name: source }] })).toBe('refused');
    expect(await update({ mirror: { name: source } })).toBe('refused');
    const created = await as(service).attempt(`$JS.API.STREAM.CREATE.${stream}`, {
      name: stream,
      sources: [{ name: source }],
    });
    expect(created).toBe('refused');
  });
});

it('revokes nothing through a push consumer as mcp-gateway (N08)', async () => {
  const received: string[] = [];
  const member = as('member-api');
  await member.listen('broadcast.identity.revocation.v1', received);
  const gateway = as('mcp-gateway');
  await gateway.publish('dead-letters.mcp-gateway.x', JSON.stringify({ marker: 'N08' }));
  for (const stream of ['DEAD_LETTERS', 'DEAD_LETTERS_mcp-gateway']) {
    const created = await gateway.attempt(`$JS.API.CONSUMER.CREATE.${stream}.n08.dead-letters.mcp-gateway.>`, {
      stream_name: stream,
      config: {
        name: 'n08',
        filter_subject: 'dead-letters.mcp-gateway.>',
        deliver_subject: 'broadcast.identity.revocation.v1',
        ack_policy: 'none',
        deliver_policy: 'all',
      },
    });
    expect(succeeded(created)).toBe(false);
  }
  await createRightfully();
  expect(received.filter((line) => line.includes('N08'))).toEqual([]);
});

describe('N06: a dead letter of member-api', () => {
  it.each(['auth', 'admin-api', 'mcp-gateway'] as const)(
    'does not let %s delete a dead letter of member-api',
    async (service) => {
      for (const stream of ['DEAD_LETTERS', 'DEAD_LETTERS_member-api']) {
        expect(await as(service).attempt(`$JS.API.STREAM.MSG.DELETE.${stream}`, { seq: 1 })).toBe('refused');
      }
    },
  );
});

/** The server publishes each reply to the subject in the request without checking permissions for it. */
describe('the reply subject of a request to the server', () => {
  const TARGETS = ['school.student.created.v1', 'identity.person.created.v1', '$KV.sites.forged'] as const;

  it.each(OWNERS)('forges no event when %s publishes to %s', async (service, _stream, context) => {
    const before = seen.length;
    for (const reply of TARGETS.filter((target) => !target.startsWith(context))) {
      if (service === 'auth' && reply.startsWith('$KV.sites.')) continue;
      await as(service).publish(`${context}.attack.x`, '{}', { reply });
    }
    await createRightfully();
    expect(seen.slice(before).filter((line) => line.includes('"stream":'))).toEqual([]);
  });

  it('forges no event when a dead letter is read directly', async () => {
    const marker = randomUUID();
    const member = as('member-api');
    await member.publish('dead-letters.member-api.x', marker, { headers: forgedHeaders(site.site_id) });
    for (const stream of ['DEAD_LETTERS_member-api', 'KV_sites', 'SCHOOL']) {
      for (const reply of [...TARGETS, createCourse]) {
        await member.publish(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify({ batch: 100, seq: 1 }), { reply });
        await member.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.member-api-courses`, '{"batch":10}', { reply });
      }
    }
    const before = seen.length;
    await createRightfully();
    expect(mentions(marker)).toEqual([]);
    expect(seen.slice(before).filter((line) => TARGETS.some((target) => line.startsWith(`${target} `)))).toEqual([]);
  });

  it('forges no event when a command is answered', async () => {
    const marker = randomUUID();
    const thief = as('storefront');
    const before = seen.length;
    for (const reply of [...TARGETS, createCourse]) {
      const options = { reply, headers: forgedHeaders(site.site_id) };
      expect(await thief.publish('commands.school.progress.record.v1', JSON.stringify({ marker }), options)).toEqual(
        [],
      );
    }
    // The name of the command is a subject of the stream, too.
    for (const subject of ['school.progress.record.v1', 'school.progress.recorded.v1']) {
      expect(await thief.attempt(subject, { marker })).toBe('refused');
    }
    await createRightfully();
    expect(mentions(marker)).toEqual([]);
    expect(seen.slice(before).filter((line) => line.includes('"ok":'))).toEqual([]);
  });
});
