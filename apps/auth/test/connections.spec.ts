import { REQUEST_HEADERS, SYSTEM_ACTOR, eventType, schoolEvents, switchMcpConnections } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { SitesService } from '#src/sites/sites.service.js';
import { RESOURCE_SERVER, SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';
import { Observer } from './observer.js';

interface Published {
  readonly name?: string | null;
  readonly mcp_connections?: boolean | null;
  readonly locale?: string | null;
  readonly course_url?: string | null;
}

const TOOL_SERVER = { client_id: 'mcp-gateway', client_secret: 'a-secret-of-the-gateway-for-tests' };

let nats: TestNats;
let observer: Observer;
let auth: TestAuth;
/** The NATS user of admin-api. */
let school: NatsConnection;
let version = 0;

beforeAll(async () => {
  nats = await testNats();
  observer = await Observer.of(nats);
  const resourceServers = {
    [TOOL_SERVER.client_id]: TOOL_SERVER.client_secret,
    'member-api': RESOURCE_SERVER.client_secret,
  };
  const environment = { ...SOON_SEEN, RESOURCE_SERVERS: JSON.stringify(resourceServers) };
  auth = await startAuth({ nats: nats.environment('auth'), environment });
  school = await connectAs(nats.environment('admin-api'));
});
afterAll(async () => {
  await auth.stop();
  await school.close();
  await observer.stop();
  await nats.stop();
});

/** Publishes the settings of a school, and waits until the consumer has processed them. */
async function publish(
  { name = null, mcp_connections = null, locale = null, course_url = null }: Published,
  at = (version += 1),
): Promise<void> {
  const id = uuidv7();
  const { site_id } = auth.site;
  const type = eventType(schoolEvents, 'updated');
  const nothing = { timezone: null, currency: null, contact_email: null, support_url: null };
  await observer.publish(type, id, {
    id,
    type,
    aggregate_id: site_id,
    aggregate_version: at,
    site_id,
    epoch: 1,
    actor: SYSTEM_ACTOR,
    occurred_at: new Date().toISOString(),
    data: {
      site_id,
      name,
      locale,
      ...nothing,
      legal: { name: null, terms_url: null, privacy_url: null },
      url_templates: { course: course_url, lecture: null, lecturer: null },
      features: { mcp_connections },
    },
  });
  await eventually(async () => (await auth.sql('SELECT 1 FROM inbox WHERE event_id = $1', [id])).length === 1);
}

const entry = async (): Promise<Record<string, unknown> | undefined> =>
  (await observer.bucket('sites')).find(({ site_id }) => site_id === auth.site.site_id);
const metadataStatus = async (site: TestSite = auth.site): Promise<number> =>
  (await new Flow(auth, site).send('/.well-known/oauth-protected-resource/mcp')).status;
const textAt = async (path: string): Promise<string> => String((await new Flow(auth).send(path)).body['text']);
const changes = () =>
  observer.received.filter(
    ({ subject, body }) => subject === 'identity.site.updated.v1' && body['site_id'] === auth.site.site_id,
  );

describe('The name of a site', () => {
  it('follows the school in pages, guide, directory and event', async () => {
    const before = changes().length;
    await publish({ name: 'Harbor School' });
    await eventually(async () => (await entry())?.['name'] === 'Harbor School');
    await eventually(async () => (await textAt('/account/sign-in')).includes('Harbor School'));
    await eventually(async () => (await textAt('/auth.md')).includes('Authentication at Harbor School'));
    await eventually(() => Promise.resolve(changes().length > before));
    expect(changes().at(-1)?.body['data']).toMatchObject({ name: 'Harbor School', slug: 'first' });
  });

  it('stays with the school when the site is applied again, and for an older event', async () => {
    const { base_url, slug } = auth.site;
    const site = await auth.app.get(SitesService).apply({ base_url, slug, name: 'First School' });
    expect(site.name).toBe('Harbor School');
    await publish({ name: 'Older School' }, version - 1 || version);
    expect((await auth.app.get(SitesService).byId(auth.site.site_id))?.name).toBe('Harbor School');
  });

  it('publishes nothing when the school changes what no other service sees', async () => {
    const before = changes().length;
    await publish({ name: 'Harbor School' });
    await publish({ name: 'Harbor' });
    await eventually(() => Promise.resolve(changes().length > before));
    expect(changes()).toHaveLength(before + 1);
  });

  it('comes with the language of the school, which the audit log leaves out', async () => {
    const audited = async (): Promise<number> =>
      (await auth.sql(`select 1 from audit_log where event = 'site.changed'`)).length;
    const before = await audited();
    await publish({ name: 'Harbor', locale: 'zh-TW' });
    await eventually(async () => (await entry())?.['locale'] === 'zh-TW');
    await eventually(() =>
      Promise.resolve((changes().at(-1)?.body['data'] as Published | undefined)?.locale === 'zh-TW'),
    );
    expect(await audited()).toBe(before);
  });

  it('comes with the URL template of courses', async () => {
    const course_url = 'https://www.example.com/courses/{slug}';
    await publish({ name: 'Harbor', course_url });
    await eventually(async () => (await entry())?.['course_url'] === course_url);
    await eventually(() =>
      Promise.resolve((changes().at(-1)?.body['data'] as Published | undefined)?.course_url === course_url),
    );
    expect(await entry()).toMatchObject({ course_url });
  });
});

describe('A school that switches off MCP connections', () => {
  const resource = () => `${auth.site.base_url}/mcp`;

  it('ends the metadata of the tool endpoint and tokens for it, and leaves other tokens and sites alone', async () => {
    const flow = new Flow(auth);
    const code = (await flow.callback({ resource: resource() })).get('code');
    const before = await flow.tokens({ resource: resource() });
    await publish({ name: 'Harbor', mcp_connections: false });
    await eventually(async () => (await metadataStatus()) === 404);
    expect(await entry()).toMatchObject({ mcp_connections: false });
    const page = await flow.browser.open(flow.authorizationUrl({ resource: resource() }));
    expect(page.url.searchParams.get('error')).toBe('invalid_target');
    const target = { status: 400, body: { error: 'invalid_target' } };
    expect(await flow.exchange(code, { resource: resource() })).toMatchObject(target);
    expect(await flow.refresh(before.refresh_token, { resource: resource() })).toMatchObject(target);
    const { access_token } = await flow.tokens();
    expect((await flow.introspect(access_token)).body).toMatchObject({ active: true, aud: auth.site.base_url });
    expect(await textAt('/auth.md')).toContain('MCP connections are off at this site');
    expect(await textAt('/')).toContain('public tools only');
    expect(await metadataStatus(auth.other)).toBe(200);
  });

  it('restores both with the next event', async () => {
    await publish({ name: 'Harbor', mcp_connections: true });
    await eventually(async () => (await metadataStatus()) === 200);
    expect(await new Flow(auth).tokens({ resource: resource() })).toMatchObject({ token_type: 'Bearer' });
    expect(await textAt('/auth.md')).not.toContain('MCP connections are off');
  });
});

describe('/admin/mcp-connections', () => {
  const PATH = '/admin/mcp-connections';
  let responder: Subscription | undefined;
  const requests: unknown[] = [];
  afterEach(async () => {
    responder?.unsubscribe();
    requests.length = 0;
    await school.flush();
  });

  /** Responds in place of admin-api. */
  async function respond(reply: Reply): Promise<void> {
    responder = school.subscribe(switchMcpConnections.subject, {
      callback: (_error, message) => {
        requests.push({ ...message.json<object>(), site_id: message.headers?.get(REQUEST_HEADERS.site) });
        message.respond(JSON.stringify(reply));
      },
    });
    await school.flush();
  }

  async function open(name = 'owner') {
    const flow = new Flow(auth);
    return { flow, page: await flow.signIn(await flow.browser.open(PATH), name) };
  }

  it.each([
    ['owner', 'no', 'off'],
    ['admin', 'yes', 'on'],
  ])('sends the request of an %s to switch (%s), and says so', async (name, enabled, word) => {
    await publish({ name: 'Harbor' });
    await respond({ ok: true, result: { enabled: enabled === 'yes' } });
    const { flow } = await open(name);
    await eventually(async () => (await flow.browser.open(PATH)).body.includes('never switched'));
    const page = await flow.browser.open(PATH);
    const after = await flow.submit(page, 'csrf', { enabled });
    expect([after.status, after.body.includes(`were switched ${word}`)]).toEqual([200, true]);
    const site_id = auth.site.site_id;
    expect(requests).toEqual([{ site_id, member_id: expect.any(String), roles: [name], enabled: enabled === 'yes' }]);
  });

  it('asks before it switches off, with the number of connections that end, and switches on at once', async () => {
    await respond({ ok: true, result: { enabled: false } });
    await publish({ name: 'Harbor', mcp_connections: true });
    const { flow } = await open();
    await eventually(async () => (await flow.browser.open(PATH)).body.includes('MCP connections are on'));
    const count = async (): Promise<number> => {
      const { body } = await flow.browser.open(`${PATH}/off`);
      return Number(/(\d+) connections? ends?:/.exec(body)?.[1] ?? 0);
    };
    const before = await count();
    const other = new Flow(auth);
    const { access_token } = await other.tokens({}, 'lecturer');
    // The APIs take its token further on.
    expect((await other.introspect(access_token)).body['active']).toBe(true);
    expect(await count()).toBe(before);
    for (const _twice of [1, 2]) expect((await other.introspect(access_token, TOOL_SERVER)).body['active']).toBe(true);
    expect(await count()).toBe(before + 1);
    // Another connection of the same person with the same application.
    const again = await other.tokens({}, 'lecturer');
    await other.introspect(again.access_token, TOOL_SERVER);
    expect(await count()).toBe(before + 1);
    await new Flow(auth).tokens({ client_id: 'first-operator', scope: 'courses:read' }, 'admin');
    expect(await count()).toBe(before + 1);
    const page = await flow.browser.open(PATH);
    expect(page.body).not.toContain('value="no"');
    expect(requests).toEqual([]);
    const question = await flow.browser.open(`${PATH}/off`);
    expect(question.body).toContain('Switch off MCP connections?');
    const after = await flow.submit(question, 'csrf', {});
    expect([after.status, after.body.includes('were switched off')]).toEqual([200, true]);
    expect(requests).toMatchObject([{ enabled: false }]);
    await publish({ name: 'Harbor' });
    const later = (await open()).flow;
    await eventually(async () => (await later.browser.open(PATH)).body.includes('never switched'));
  });

  it('says that it cannot switch while admin-api does not respond', async () => {
    const { flow, page } = await open();
    const after = await flow.submit(page, 'csrf', { enabled: 'no' });
    expect([after.status, after.body.includes('cannot be switched at the moment')]).toEqual([503, true]);
  });

  it('refuses a form without the token of its session, or with another value', async () => {
    await respond({ ok: true, result: { enabled: true } });
    const { flow, page } = await open();
    expect((await flow.browser.open(PATH, new URLSearchParams({ enabled: 'yes' }))).status).toBe(403);
    expect((await flow.submit(page, 'csrf', { enabled: 'maybe' })).status).toBe(404);
    expect(requests).toEqual([]);
  });

  it.each(['lecturer', 'student'])('returns 404 for a %s and requests nothing', async (name) => {
    await respond({ ok: true, result: { enabled: true } });
    const flow = new Flow(auth);
    const account = await flow.signIn(await flow.browser.open('/account'), name);
    for (const path of [PATH, `${PATH}/off`]) {
      const refused = await flow.browser.open(path);
      expect(refused.status).toBe(404);
      expect(refused.body).toMatch(
        new RegExp(`signed in as ${name}@school\\.example.*Ask an owner or admin of Harbor`),
      );
    }
    const csrf = /name="csrf" value="([^"]+)"/.exec(account.body)?.[1] ?? '';
    expect((await flow.browser.open(PATH, new URLSearchParams({ csrf, enabled: 'no' }))).status).toBe(404);
    expect(requests).toEqual([]);
  });
});
