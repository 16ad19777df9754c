import { PROGRAMS, SERVICES, describePerson, natsPermissions } from '@lyceum/contracts';
import type { ProgramName, ServiceName } from '@lyceum/contracts';
import { changeNatsUsers, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { connect } from '@nats-io/transport-node';
import type { Msg, NatsConnection } from '@nats-io/transport-node';

type User = ServiceName | ProgramName;
const USERS: readonly User[] = [...SERVICES, ...PROGRAMS];

let nats: TestNats;
const connections = new Map<User, NatsConnection>();
const refusals: string[] = [];

beforeAll(async () => {
  nats = await testNats();
  for (const service of USERS) {
    const { NATS_URL, NATS_USER, NATS_PASSWORD } = nats.environment(service);
    const inboxPrefix = `_INBOX_${service}`;
    const connection = await connect({ servers: NATS_URL, user: NATS_USER, pass: NATS_PASSWORD, inboxPrefix });
    connections.set(service, connection);
    void watchRefusals(connection);
  }
});
beforeEach(() => void (refusals.length = 0));
afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await nats.stop();
});

async function watchRefusals(connection: NatsConnection): Promise<void> {
  for await (const status of connection.status()) if (status.type === 'error') refusals.push(status.error.message);
}

function as(service: User): NatsConnection {
  const connection = connections.get(service);
  if (connection === undefined) throw new Error(`no connection for ${service}`);
  return connection;
}

/** The server's response to a message on the subject: empty or a refusal. */
async function publish(service: User, subject: string): Promise<string[]> {
  as(service).publish(subject, '{}');
  // The server responds in order, so its refusal precedes the end of the flush; the status follows one turn later.
  await as(service).flush();
  await new Promise((resolve) => setImmediate(resolve));
  return refusals.splice(0);
}

async function subscribe(service: User, subject: string): Promise<string[]> {
  const subscription = as(service).subscribe(subject, { callback: () => undefined });
  await as(service).flush();
  await new Promise((resolve) => setImmediate(resolve));
  if (!subscription.isClosed()) subscription.unsubscribe();
  return refusals.splice(0);
}

const everybodyBut = (...allowed: User[]): User[] => USERS.filter((name) => !allowed.includes(name));

const ONLY: [subject: string, allowed: User[]][] = [
  ['tools.admin-api.list_courses', ['mcp-gateway']],
  ['tools.member-api.my_courses', ['mcp-gateway']],
  ['identity.person.created.v1', ['auth']],
  ['school.course.created.v1', ['admin-api']],
  ['learner.progress.updated.v1', ['member-api']],
  ['broadcast.identity.revocation.v1', ['auth']],
  ['shared-values.mcp-gateway.00ff', ['mcp-gateway']],
  ['HUB.API.DIRECT.GET.SHARED_VALUES.shared-values.mcp-gateway.00ff', ['mcp-gateway']],
  ['HUB.API.DIRECT.GET.SHARED_VALUES', []],
  ['shared-values.auth.00ff', []],
  ['broadcast.mcp-gateway.usage.v1', []],
  ['$KV.sites.018f3b1e-0000-7000-8000-000000000001', ['auth']],
  ['$KV.tool-catalogs.admin-api.abc', ['admin-api']],
  ['$KV.tool-catalogs.member-api.abc.1', ['member-api']],
  ['$KV.tool-catalogs.mcp-gateway.abc.1', ['mcp-gateway']],
  ['tools.admin-api.cancel', ['mcp-gateway']],
  ['tools.admin-api.tool.browse_course.abc', ['mcp-gateway']],
  ['requests.auth.describe_person.v1', ['auth', 'mcp-gateway']],
  ['requests.auth.suspend_member.v1', ['admin-api', 'auth']],
  ['requests.admin-api.list_activity.v1', ['admin-api', 'auth']],
  ['requests.admin-api.export_school_data.v1', ['admin-api', 'auth']],
  ['requests.member-api.export_member_data.v1', ['auth', 'member-api']],
  ['requests.admin-api.switch_mcp_connections.v1', ['admin-api', 'auth']],
  ['requests.admin-api.get_site_settings.v1', ['admin-api', 'auth']],
  ['requests.admin-api.change_school.v1', ['admin-api', 'auth']],
  ['requests.admin-api.store_picture.v1', ['admin-api', 'auth']],
  ['requests.admin-api.change_appearance.v1', ['admin-api', 'auth']],
  ['requests.admin-api.other.v1', ['admin-api']],
  ['requests.auth.replay_dead_letter.v1', ['auth']],
  ['requests.member-api.replay_dead_letter.v1', ['member-api']],
  ['commands.school.progress.record.v1', ['storefront']],
  ['commands.school.review.post.v1', ['storefront']],
  ['commands.school.cancel', []],
  ['commands.school.other.v1', []],
  ['dead-letters.auth.students', ['auth']],
  ['dead-letters.member-api.courses', ['member-api']],
  ['$JS.ACK.SCHOOL.member-api-courses.1.2.3.4.5', ['member-api']],
  // No service: the server's own API is covered by the matrix of test/security/nats.
  ['$JS.API.INFO', []],
  ['$SRV.PING', []],
  ['_INBOX_auth.somebody', ['auth']],
  ['_INBOX_mcp-gateway.somebody', ['mcp-gateway']],
  // Each account has replies of its own: see below.
  ['_R_.somebody', [...SERVICES]],
];

test.each(ONLY)('allows %s to be published by %j alone', async (subject, allowed) => {
  for (const service of everybodyBut(...allowed)) {
    expect([service, ...(await publish(service, subject))]).toEqual([
      service,
      expect.stringContaining(`Permissions Violation for Publish to "${subject}"`),
    ]);
  }
  for (const service of allowed) expect([service, ...(await publish(service, subject))]).toEqual([service]);
});

const DELIVERED: [subject: string, allowed: User[]][] = [
  ['tools.admin-api.>', ['admin-api']],
  ['requests.auth.>', ['auth']],
  ['requests.auth.describe_person.v1', ['auth']],
  ['commands.school.progress.record.v1', ['admin-api']],
  ['commands.school.review.post.v1', ['admin-api']],
  ['commands.school.>', []],
  ['_INBOX_storefront.>', ['storefront']],
  ['_INBOX_auth.>', ['auth']],
  ['_INBOX_mcp-gateway.>', ['mcp-gateway']],
  ['$SRV.PING', [...SERVICES]],
  ['$SRV.STATS.auth', ['auth']],
  ['broadcast.identity.revocation.v1', [...SERVICES]],
  ['broadcast.mcp-gateway.usage.v1', []],
  ['shared-values.>', []],
  ['>', []],
  ['_INBOX.>', []],
  ['tools.>', []],
  ['requests.>', []],
  ['identity.>', []],
  ['school.>', []],
  ['$KV.>', []],
  ['$JS.>', []],
  ['$JS.EVENT.>', []],
  ['$SYS.>', []],
];

test.each(DELIVERED)('delivers %s to %j alone', async (subject, allowed) => {
  for (const service of everybodyBut(...allowed)) {
    expect([service, ...(await subscribe(service, subject))]).toEqual([
      service,
      expect.stringContaining(`Permissions Violation for Subscription to "${subject}"`),
    ]);
  }
  for (const service of allowed) expect([service, ...(await subscribe(service, subject))]).toEqual([service]);
});

/** A request of the gateway to auth that has arrived there, and its reply. */
async function askedByGateway(): Promise<{ message: Msg; reply: Promise<Msg> }> {
  const arrived = Promise.withResolvers<Msg>();
  const callback = (_error: unknown, message: Msg): void => arrived.resolve(message);
  as('auth').subscribe(describePerson.subject, { callback, max: 1 });
  await as('auth').flush();
  const reply = as('mcp-gateway').request(describePerson.subject, '{}');
  return { message: await arrived.promise, reply };
}

test('delivers the reply of the service that was asked, once', async () => {
  const received: string[] = [];
  const callback = (_error: unknown, message: Msg): void => void received.push(message.string());
  const inbox = as('mcp-gateway').subscribe('_INBOX_mcp-gateway.>', { callback });
  const { message, reply } = await askedByGateway();
  const address = message.reply ?? '';
  expect(address).toMatch(/^_R_\./);
  for (const service of ['admin-api', 'member-api', 'mcp-gateway'] as const)
    expect([service, ...(await publish(service, address))]).toEqual([service]);
  message.respond('first');
  expect((await reply).string()).toBe('first');
  expect(await publish('auth', address)).toEqual([]);
  await as('mcp-gateway').flush();
  expect(received).toEqual(['first']);
  inbox.unsubscribe();
});

test('delivers a reply to a request that was sent before the server read its configuration again', async () => {
  const { message, reply } = await askedByGateway();
  await changeNatsUsers(nats, (users) =>
    users.flatMap((one) => (one.user === 'auth' ? [one, { ...one, user: 'auth2' }] : [one])),
  );
  message.respond('later');
  expect((await reply).string()).toBe('later');
  expect(refusals).toEqual([]);
});

test('grants no permission for all subjects', () => {
  for (const service of SERVICES) {
    const { publish: out, subscribe: into } = natsPermissions(service);
    const all = [...out.allow, ...into.allow];
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter((subject) => ['>', '*', '$JS.>', '$JS.API.>', '$KV.>'].includes(subject))).toEqual([]);
    expect(new Set(out.allow).size).toBe(out.allow.length);
  }
});
