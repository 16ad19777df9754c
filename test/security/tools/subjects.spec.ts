import { signedCall } from '@lyceum/testing';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { systemStack } from '../../stack/system-stack.js';
import { call, memberToken, operatorToken, otherSite, outcome, send, site, sourceIn, type Asking } from './attack.js';
import { connectAs, declaredTools, listenEverywhere, type DeclaredTool } from './nats.js';

const refusals: string[] = [];
let listeners: readonly NatsConnection[];
let member: NatsConnection;
let tools: readonly DeclaredTool[];
/** Subjects of all that is sent to tools while the suite runs. */
const heard: string[] = [];

beforeAll(async () => {
  member = await connectAs('member-api');
  void watch(member);
  tools = await declaredTools();
  listeners = await listenEverywhere(({ subject }) => void (subject.startsWith('tools.') && heard.push(subject)));
});
beforeEach(() => void (refusals.length = 0));
afterAll(async () => {
  await Promise.all([...listeners, member].map((connection) => connection?.close()));
});

/** Everything that was sent to tools before is in `heard`. */
const settled = (): Promise<unknown> => Promise.all(listeners.map((listener) => listener.flush()));

async function watch(connection: NatsConnection): Promise<void> {
  for await (const status of connection.status()) if (status.type === 'error') refusals.push(status.error.message);
}

/** What the server says: it answers in order, so a refusal comes before the end of the flush; the status a turn later. */
async function refusal(): Promise<string[]> {
  await member.flush();
  await new Promise((resolve) => setImmediate(resolve));
  return refusals.splice(0);
}

const subjectOf = (name: string): string => {
  const { service, version } = tools.find((tool) => tool.name === name)!;
  return `tools.${service}.tool.${name}.${version}`;
};

describe('what an HTTP caller writes is no subject', () => {
  let operator: Asking;
  beforeAll(async () => {
    operator = { token: await operatorToken(undefined, { role: 'admin', kind: 'confidential' }) };
  });

  it.each([
    '>',
    '*',
    'tools.>',
    'tools.admin-api.>',
    'admin-api.tool.list_courses',
    'list_courses.>',
    'list_*',
    'list_courses.0000000000000000',
    'list courses',
    'list_courses\r\nPUB tools.admin-api.x 0\r\n',
    'list_courses\t',
    '..',
    '$JS.API.STREAM.LIST',
    '$SYS.REQ.SERVER.PING',
    '_INBOX.>',
    'cancel',
    'admin-api.cancel',
    'plan_my_study_week-hours',
  ])('as the name %j: nothing is sent', async (name) => {
    const source = sourceIn(68);
    for (const asking of [operator, { source }]) {
      expect(outcome(await call(name, {}, asking))).toEqual([200, -32_602]);
    }
    for (const message of [
      { method: 'prompts/get', params: { name } },
      { method: 'resources/read', params: { uri: `school://${name}` } },
      { method: 'completion/complete', params: { ref: { type: 'ref/prompt', name }, argument: { name, value: '' } } },
    ]) {
      expect(outcome(await send('older', message, { source }))).toEqual([200, -32_602]);
    }
    await settled();
    expect(heard.filter((subject) => subject.includes(name))).toEqual([]);
  });

  it.each(['>', '*', 'slug.>', 'a b', 'x\r\nPUB a 0\r\n', '$SYS.>', '..'])(
    'as an argument, as a piece of a resource and as what is completed, %j stays there',
    async (value) => {
      const source = sourceIn(68);
      const before = heard.length;
      const answers = [
        await call('browse_course', { slug: value }, { source }),
        await send(
          'older',
          { method: 'resources/read', params: { uri: `school://courses/${encodeURIComponent(value)}` } },
          { source },
        ),
        await send(
          'older',
          {
            method: 'completion/complete',
            params: {
              ref: { type: 'ref/resource', uri: 'school://courses/{slug}' },
              argument: { name: 'slug', value },
              context: { arguments: { [value]: value } },
            },
          },
          { source },
        ),
        await call('create_course', { name: 'x', slug: 'x', dry_run: true, idempotency_key: value }, operator),
      ];
      for (const { status, rpcCode, failure } of answers) {
        expect([status, rpcCode === -32_603, failure?.code === 'internal']).toEqual([200, false, false]);
      }
      await settled();
      const sent = heard.slice(before);
      expect(sent.length).toBeGreaterThan(0);
      expect(
        sent.filter((subject) => !/^tools\.(admin-api|member-api|mcp-gateway)\.[a-z0-9_.-]+$/.test(subject)),
      ).toEqual([]);
    },
  );
});

describe('whoever has taken over the member API', () => {
  it.each([
    ['calls a tool of operators', () => subjectOf('list_courses')],
    ['calls its own tool as if it were the gateway', () => subjectOf('my_courses')],
    ['calls the tool of the gateway', () => subjectOf('whoami')],
    ['cancels the calls of others', () => 'tools.admin-api.cancel'],
    ['asks auth who somebody is', () => 'requests.auth.describe_person.v1'],
    ['asks the operator API', () => 'requests.admin-api.replay_dead_letter.v1'],
    ['writes the catalogue of the operator API', () => '$KV.tool-catalogues.admin-api.0000000000000000'],
    ['writes the catalogue of the gateway', () => '$KV.tool-catalogues.mcp-gateway.0000000000000000'],
    ['writes a catalogue beside all others', () => '$KV.tool-catalogues.evil'],
    ['writes a site', () => '$KV.sites.018f3b1e-0000-7000-8000-000000000001'],
    ['empties the catalogues', () => '$JS.API.STREAM.PURGE.KV_tool-catalogues'],
    ['answers in the inbox of the gateway', () => '_INBOX_mcp-gateway.x.y'],
    ['tells that tokens are revoked', () => 'broadcast.identity.revocation.v1'],
    ['tells the gateway of use that was none', () => 'broadcast.mcp-gateway.usage.v1'],
    ['says that a course was made', () => 'school.course.created.v1'],
  ])('is refused when it %s', async (_what, subjectOfIt) => {
    const subject = subjectOfIt();
    member.publish(subject, '{}');
    expect(await refusal()).toEqual([expect.stringContaining(`Permissions Violation for Publish to "${subject}"`)]);
  });

  it.each([
    ['the tools of the operator API', 'tools.admin-api.>'],
    ['all tools', 'tools.>'],
    ['one tool of the gateway', 'tools.mcp-gateway.tool.whoami.*'],
    ['all tools by a wildcard', 'tools.*.tool.>'],
    ['the inbox of the gateway', '_INBOX_mcp-gateway.>'],
    ['the inbox of the operator API', '_INBOX_admin-api.>'],
    ['all inboxes', '_INBOX.>'],
    ['requests of auth', 'requests.auth.>'],
    ['the catalogues as they are written', '$KV.tool-catalogues.>'],
    ['everything', '>'],
  ])('is refused when it listens to %s', async (_what, subject) => {
    const subscription = member.subscribe(subject, { callback: () => undefined });
    expect(await refusal()).toEqual([
      expect.stringContaining(`Permissions Violation for Subscription to "${subject}"`),
    ]);
    if (!subscription.isClosed()) subscription.unsubscribe();
  });

  it('is refused as one of several who answer, too', async () => {
    member.subscribe(subjectOf('list_courses'), { queue: 'admin-api', callback: () => undefined });
    expect(await refusal()).toEqual([expect.stringContaining('Permissions Violation for Subscription')]);
  });

  it('may still answer its own tools, and no other reply than to what it was asked', async () => {
    const inbox = createInbox('_INBOX_mcp-gateway');
    member.publish(inbox, '{"ok":true,"result":{}}');
    expect(await refusal()).toEqual([expect.stringContaining('Permissions Violation for Publish')]);
    const asking = { token: await memberToken(undefined, { role: 'lecturer', kind: 'confidential' }) };
    expect((await call('my_courses', {}, asking)).result?.structuredContent).toHaveProperty('items');
  });
});

describe('a message that is sent with the credentials of the gateway, its key included,', () => {
  const principal = {
    person_id: '018f3b1e-0000-7000-8000-000000000001',
    member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
    site_id: site.site_id,
    client_id: 'a-client',
    audience: 'operator',
    scopes: ['courses:read'],
    grant_id: 'a-grant',
    token_fingerprint: '0123456789abcdef',
    expires_at: 4_000_000_000,
  };
  let gateway: NatsConnection;
  beforeAll(async () => {
    gateway = await connectAs('mcp-gateway');
  });
  afterAll(() => gateway?.close());

  it.each<[string, object | undefined, string | undefined]>([
    ['that is right in everything', principal, undefined],
    ['without a principal', undefined, 'invalid_token'],
    ['of a member', { ...principal, audience: 'member', scopes: ['account:read'] }, 'insufficient_scope'],
    ['of a member who claims the scope', { ...principal, audience: 'member' }, 'insufficient_scope'],
    ['of an operator with another scope', { ...principal, scopes: ['students:read'] }, 'insufficient_scope'],
    ['of an operator of another site', { ...principal, site_id: otherSite.site_id }, 'forbidden'],
    ['of somebody who is no principal', { audience: 'operator' }, 'invalid_request'],
  ])('is judged once more by the service that owns the data: one %s', async (_what, sender, code) => {
    const { CALL_SIGNING_KEY = '' } = systemStack().environments['mcp-gateway'];
    const deadline = Date.now() + 10_000;
    const body = '{"arguments":{}}';
    const sent = {
      subject: subjectOf('list_courses'),
      body,
      site_id: site.site_id,
      principal: sender ?? null,
      deadline,
    };
    const options = { timeout: 10_000, headers: signedCall(sent, CALL_SIGNING_KEY) };
    const answer = await gateway.request(sent.subject, body, options);
    const { ok, error } = answer.json<{ ok: boolean; error?: { code: string } }>();
    expect([ok, error?.code]).toEqual([code === undefined, code]);
  });
});
