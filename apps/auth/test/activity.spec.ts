import { REQUEST_HEADERS, listActivity } from '@lyceum/contracts';
import type { ActivitySummary, Reply } from '@lyceum/contracts';
import { connectAs, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { z } from 'zod';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

type Input = z.output<(typeof listActivity)['input']>;

let nats: TestNats;
let auth: TestAuth;
/** The NATS user of admin-api. */
let school: NatsConnection;
let responder: Subscription | undefined;
/** The requests of auth, in the order of their arrival. */
const requests: (Input & { readonly site_id: string | undefined })[] = [];

beforeAll(async () => {
  nats = await testNats();
  auth = await startAuth({ nats: nats.environment('auth') });
  school = await connectAs(nats.environment('admin-api'));
});
afterEach(async () => {
  responder?.unsubscribe();
  responder = undefined;
  requests.length = 0;
  await school.flush();
});
afterAll(async () => {
  await auth.stop();
  await school.close();
  await nats.stop();
});

/** Responds in place of admin-api. */
async function respond(reply: (input: Input) => Reply): Promise<void> {
  responder = school.subscribe(listActivity.subject, {
    callback: (_error, message) => {
      const input = message.json<Input>();
      requests.push({ ...input, site_id: message.headers?.get(REQUEST_HEADERS.site) });
      message.respond(JSON.stringify(reply(input)));
    },
  });
  await school.flush();
}

const entry = (number: number, more: Partial<ActivitySummary> = {}): ActivitySummary => ({
  id: `01a1fb4f-0000-7000-8000-${String(number).padStart(12, '0')}`,
  summary: `Mei Lin published a course ${number}.`,
  client_id: 'office',
  via: 'rest',
  created_at: '2026-11-20T08:00:00.000Z',
  ...more,
});
const page = (entries: readonly ActivitySummary[], next_cursor: string | null = null): Reply => ({
  ok: true,
  result: { entries, next_cursor },
});
const refused = (code: string): Reply => ({ ok: false, error: { code, detail: 'No.' } });

async function open(path: string, name = 'owner') {
  const flow = new Flow(auth);
  return flow.signIn(await flow.browser.open(path), name);
}

describe('/admin/activity', () => {
  it.each(['owner', 'admin'])(
    'requests the entries of the site with the roles of an %s, and shows them',
    async (name) => {
      await respond(() => page([entry(2), entry(1, { client_id: null, via: 'page' })]));
      const { status, url, body } = await open('/admin/activity', name);
      expect([status, url.pathname]).toEqual([200, '/admin/activity']);
      expect(requests).toEqual([{ site_id: auth.site.site_id, roles: [name], cursor: null, limit: 50 }]);
      expect(body).toMatch(/published a course 2\.[\s\S]*office · rest[\s\S]*published a course 1\.[\s\S]*>page</);
      expect(body).toContain('<time datetime="2026-11-20T08:00:00.000Z" title="2026-11-20 08:00:00 UTC">');
      expect(body).not.toContain('rel="next"');
    },
  );

  it('writes the sentences in the language of the reader, and keeps one of a later release', async () => {
    const change = { name: 'Mei <b>', action: 'course.updated', object_type: 'course', changed_fields: ['name'] };
    await respond(() => page([entry(2, { change: { ...change, object_type: 'later' } }), entry(1, { change })]));
    const flow = new Flow(auth, auth.site, { client_id: 'first-member' }, { 'accept-language': 'zh-TW' });
    const { body } = await flow.signIn(await flow.browser.open('/admin/activity'), 'owner');
    expect(body).toMatch(/Mei Lin published a course 2\.[\s\S]*「Mei &lt;b&gt;」更新了課程（欄位：name）/);
    expect(body).not.toContain('published a course 1.');
  });

  it.each(['lecturer', 'student'])('returns 404 for a %s and requests nothing', async (name) => {
    await respond(() => page([entry(1)]));
    const flow = new Flow(auth);
    await flow.signIn(await flow.browser.open('/account'), name);
    const { status, body } = await flow.browser.open('/admin/activity');
    expect([status, requests]).toEqual([404, []]);
    expect(body).not.toContain('Mei Lin');
  });

  it('goes from page to page by the cursor', async () => {
    const cursor = 'a+b/c=&d';
    await respond((input) => (input.cursor === null ? page([entry(2)], cursor) : page([entry(1)])));
    const flow = new Flow(auth);
    const first = await flow.signIn(await flow.browser.open('/admin/activity'), 'owner');
    const next = /rel="next" href="([^"]+)"/.exec(first.body)?.[1] ?? '';
    const second = await flow.browser.open(next);
    expect(second.body).toContain('published a course 1.');
    expect(second.body).not.toContain('published a course 2.');
    expect(requests.map((one) => one.cursor)).toEqual([null, cursor]);
  });

  it('begins with the newest entries for a cursor that admin-api refuses', async () => {
    await respond((input) => (input.cursor === null ? page([entry(2)]) : refused('invalid_cursor')));
    const flow = new Flow(auth);
    await flow.signIn(await flow.browser.open('/admin'), 'owner');
    const { status, body } = await flow.browser.open('/admin/activity?cursor=forged');
    expect([status, body.includes('published a course 2.')]).toEqual([200, true]);
    expect((await flow.browser.open('/admin/activity?cursor=a&cursor=b')).status).toBe(200);
  });

  it('escapes names and ids', async () => {
    await respond(() => page([entry(1, { summary: '<script>alert(1)</script> & "co"', client_id: '<b>x</b>' })]));
    const { body } = await open('/admin/activity');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;co&quot;');
    expect(body).toContain('&lt;b&gt;x&lt;/b&gt;');
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('<b>x');
  });

  it.each([
    ['admin-api does not respond', undefined],
    ['admin-api is unavailable', refused('temporarily_unavailable')],
  ])('says that it cannot show the activity while %s, and shows it again', async (_what, reply) => {
    if (reply !== undefined) await respond(() => reply);
    const flow = new Flow(auth);
    const away = await flow.signIn(await flow.browser.open('/admin/activity'), 'owner');
    expect([away.status, away.body.includes('The activity cannot be shown at the moment')]).toEqual([200, true]);
    expect(away.body).not.toContain('503');
    responder?.unsubscribe();
    await respond(() => page([entry(1)]));
    expect((await flow.browser.open('/admin/activity')).body).toContain('published a course 1.');
  });

  it('says that no entries exist', async () => {
    await respond(() => page([]));
    expect((await open('/admin/activity')).body).toContain('No entries');
  });
});
