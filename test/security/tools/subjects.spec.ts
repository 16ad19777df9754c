import { signedCall } from '@lyceum/testing';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { systemStack } from '../../stack/system-stack.js';
import {
  call,
  memberToken,
  operatorToken,
  otherSite,
  outcome,
  send,
  site,
  sourceIn,
  type CallOptions,
} from './attack.js';
import { connectAs, declaredTools, listenEverywhere, type DeclaredTool } from './nats.js';

const refusals: string[] = [];
let listeners: readonly NatsConnection[];
let member: NatsConnection;
let tools: readonly DeclaredTool[];
/** Subjects of all messages to tools while the suite runs. */
const subjects: string[] = [];

beforeAll(async () => {
  member = await connectAs('member-api');
  void watch(member);
  tools = await declaredTools();
  listeners = await listenEverywhere(({ subject }) => void (subject.startsWith('tools.') && subjects.push(subject)));
});
beforeEach(() => void (refusals.length = 0));
afterAll(async () => {
  await Promise.all([...listeners, member].map((connection) => connection?.close()));
});

/** Waits until `subjects` has every message sent so far. */
const settled = (): Promise<unknown> => Promise.all(listeners.map((listener) => listener.flush()));

async function watch(connection: NatsConnection): Promise<void> {
  for await (const status of connection.status()) if (status.type === 'error') refusals.push(status.error.message);
}

/**
 * Refusals of the server. It responds in order, so they precede the end of the flush; the status follows a turn later.
 */
async function refusal(): Promise<string[]> {
  await member.flush();
  await new Promise((resolve) => setImmediate(resolve));
  return refusals.splice(0);
}

const subjectOf = (name: string): string => {
  const { service, version } = tools.find((tool) => tool.name === name)!;
  return `tools.${service}.tool.${name}.${version}`;
};

describe('input of an HTTP caller', () => {
  let operator: CallOptions;
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
  ])('keeps the name %j out of subjects', async (name) => {
    const source = sourceIn(68);
    for (const options of [operator, { source }]) {
      expect(outcome(await call(name, {}, options))).toEqual([200, -32_602]);
    }
    for (const message of [
      { method: 'prompts/get', params: { name } },
      { method: 'resources/read', params: { uri: `school://${name}` } },
      { method: 'completion/complete', params: { ref: { type: 'ref/prompt', name }, argument: { name, value: '' } } },
    ]) {
      expect(outcome(await send('older', message, { source }))).toEqual([200, -32_602]);
    }
    await settled();
    expect(subjects.filter((subject) => subject.includes(name))).toEqual([]);
  });

  it.each(['>', '*', 'slug.>', 'a b', 'x\r\nPUB a 0\r\n', '$SYS.>', '..'])(
    'keeps the argument, resource or completion %j out of subjects',
    async (value) => {
      const source = sourceIn(68);
      const before = subjects.length;
      const responses = [
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
      for (const { status, rpcCode, failure } of responses) {
        expect([status, rpcCode === -32_603, failure?.code === 'internal']).toEqual([200, false, false]);
      }
      await settled();
      const sent = subjects.slice(before);
      expect(sent.length).toBeGreaterThan(0);
      expect(
        sent.filter((subject) => !/^tools\.(admin-api|member-api|mcp-gateway)\.[a-z0-9_.-]+$/.test(subject)),
      ).toEqual([]);
    },
  );
});

describe('an attacker with the credentials of the member API', () => {
  it.each([
    ['calls a tool of operators', () => subjectOf('list_courses')],
    ['calls its own tool as if it were the gateway', () => subjectOf('my_courses')],
    ['calls the tool of the gateway', () => subjectOf('whoami')],
    ['cancels the calls of others', () => 'tools.admin-api.cancel'],
    ['requests a person from auth', () => 'requests.auth.describe_person.v1'],
    ['sends a request to the operator API', () => 'requests.admin-api.replay_dead_letter.v1'],
    ['writes the catalog of the operator API', () => '$KV.tool-catalogs.admin-api.0000000000000000'],
    ['writes the catalog of the gateway', () => '$KV.tool-catalogs.mcp-gateway.0000000000000000'],
    ['adds a catalog', () => '$KV.tool-catalogs.evil'],
    ['writes a site', () => '$KV.sites.018f3b1e-0000-7000-8000-000000000001'],
    ['empties the catalogs', () => '$JS.API.STREAM.PURGE.KV_tool-catalogs'],
    ['answers in the inbox of the gateway', () => '_INBOX_mcp-gateway.x.y'],
    ['broadcasts a revocation', () => 'broadcast.identity.revocation.v1'],
    ['resets a rate limit of the gateway', () => 'shared-values.mcp-gateway.0000'],
    ['publishes an event of a course', () => 'school.course.created.v1'],
  ])('refuses the member API when it %s', async (_what, subjectOfIt) => {
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
    ['the catalogs as they are written', '$KV.tool-catalogs.>'],
    ['everything', '>'],
  ])('refuses a subscription of the member API to %s', async (_what, subject) => {
    const subscription = member.subscribe(subject, { callback: () => undefined });
    expect(await refusal()).toEqual([
      expect.stringContaining(`Permissions Violation for Subscription to "${subject}"`),
    ]);
    if (!subscription.isClosed()) subscription.unsubscribe();
  });

  it('refuses a subscription in a queue group, too', async () => {
    member.subscribe(subjectOf('list_courses'), { queue: 'admin-api', callback: () => undefined });
    expect(await refusal()).toEqual([expect.stringContaining('Permissions Violation for Subscription')]);
  });

  it('lets the member API respond to its own tools, and to no other request', async () => {
    const inbox = createInbox('_INBOX_mcp-gateway');
    member.publish(inbox, '{"ok":true,"result":{}}');
    expect(await refusal()).toEqual([expect.stringContaining('Permissions Violation for Publish')]);
    const options = { token: await memberToken(undefined, { role: 'lecturer', kind: 'confidential' }) };
    expect((await call('my_courses', {}, options)).result?.structuredContent).toHaveProperty('items');
  });
});

describe('a message with the credentials and the key of the gateway', () => {
  const principal = {
    person_id: '018f3b1e-0000-7000-8000-000000000001',
    member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
    site_id: site.site_id,
    client_id: 'a-client',
    audience: 'operator',
    scopes: ['courses:read'],
    roles: ['owner'],
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
  ])('authorizes a message at the service that owns the data, too: %s', async (_what, sender, code) => {
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
    const response = await gateway.request(sent.subject, body, options);
    const { ok, error } = response.json<{ ok: boolean; error?: { code: string } }>();
    expect([ok, error?.code]).toEqual([code === undefined, code]);
  });
});
