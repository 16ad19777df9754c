import { REQUEST_HEADERS, replySchema, switchMcpConnections } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import { startAdminApi } from './admin-api.js';
import type { Asked, TestApi } from './admin-api.js';
import { declare } from './declare.js';
import { newCourse, unique } from './new-course.js';
import { newLectures } from './new-lectures.js';
import { toolCaller } from './tool-caller.js';

const PATH = '/api/v1/school';
const WEB = 'https://www.example.com';
const MEMBER = '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const get = (asked?: Asked) => api.send('GET', PATH, asked);
const patch = (body: object, asked: Asked = {}) => api.send('PATCH', PATH, { body, ...asked });
const here = () => api.sites[0];

/** Requests as auth does. */
async function switched(enabled: boolean, roles: Role[], site_id = here().site_id): Promise<unknown> {
  const auth = await connectAs(api.nats.environment('auth'));
  const head = headers();
  head.set(REQUEST_HEADERS.site, site_id);
  const input = JSON.stringify({ member_id: MEMBER, roles, enabled });
  const response = await auth.request(switchMcpConnections.subject, input, { headers: head, timeout: 30_000 });
  await auth.close();
  const reply = replySchema.parse(response.json());
  return reply.ok ? reply.result : reply.error.code;
}

describe('a school without settings', () => {
  it('shows name and URL of the site, keeps its tag after an empty change, and publishes nothing', async () => {
    const site = api.sites[1];
    const { body, headers: head } = await get({ site });
    expect(body).toMatchObject({
      id: site.org_id,
      url: site.base_url,
      currency: null,
      legal: { name: null, terms_url: null, privacy_url: null },
      url_templates: { course: null, lecture: null, lecturer: null },
      features: { mcp_connections: null },
      updated_at: null,
    });
    const same = await patch({ currency: null, legal: {} }, { site, headers: { 'if-match': head['etag'] ?? '' } });
    expect([same.status, same.body]).toEqual([200, body]);
    expect((await get({ site })).body).toEqual(body);
  });
});

describe('changing the school', () => {
  it('merges members, publishes the whole state and logs the change', async () => {
    await patch({ name: 'Harbor', timezone: 'Asia/Taipei', currency: 'TWD', legal: { name: 'Harbor Ltd.' } });
    const changes = { contact_email: 'Office@Example.com', legal: { terms_url: `${WEB}/terms` }, currency: null };
    const { status, body } = await patch(changes);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        id: here().org_id,
        name: 'Harbor',
        timezone: 'Asia/Taipei',
        currency: null,
        contact_email: 'office@example.com',
        legal: { name: 'Harbor Ltd.', terms_url: `${WEB}/terms`, privacy_url: null },
      }),
    ]);
    const { id: _id, url: _url, updated_at: _at, ...settings } = body;
    const { site_id } = here();
    expect((await api.events.of([site_id], 2)).at(-1)).toMatchObject({
      type: 'school.school.updated.v1',
      aggregate_version: 2,
      data: { ...settings, site_id },
    });
    const log = await api.send<{ data: object[] }>('GET', '/api/v1/activity?object_type=school&limit=1');
    expect(log.body.data).toMatchObject([
      { summary: expect.stringMatching(/updated the settings of the school \(.*legal/) },
    ]);
  });

  it('changes nothing in a dry run or with a stale tag', async () => {
    const { headers: before } = await get();
    const tried = await api.send('PATCH', `${PATH}?dry_run=true`, { body: { name: 'Other' } });
    expect(tried.body).toMatchObject({ dry_run: true, name: 'Other' });
    expect((await get()).headers['etag']).toBe(before['etag']);
    const head = { 'if-match': before['etag'] ?? '' };
    expect((await patch({ name: 'Mine' }, { headers: head })).status).toBe(200);
    expect(await patch({ name: 'Theirs' }, { headers: head })).toMatchObject({ status: 412 });
    expect((await get()).body['name']).toBe('Mine');
  });

  it.each([
    [{ name: null }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ timezone: 'Asia/Atlantis' }, '/timezone'],
    [{ currency: 'XYZ' }, '/currency'],
    [{ locale: 'english' }, '/locale'],
    [{ contact_email: 'office' }, '/contact_email'],
    [{ support_url: 'http://example.com' }, '/support_url'],
    [{ legal: { terms_url: 'terms' } }, '/legal/terms_url'],
    [{ url_templates: { course: `${WEB}/{slug}/{name}` } }, '/url_templates/course'],
    [{ features: { mcp_connections: 'on' } }, '/features/mcp_connections'],
    [{ features: { other: true } }, '/features/other'],
    [{ url: WEB }, '/url'],
  ])('refuses %j', async (body, pointer) => {
    const refused = await patch(body);
    expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer }]]);
  });

  it('refuses other roles than owner and admin, with any scope', async () => {
    const { call } = toolCaller(api);
    const as = (roles: Role[]) => ({ scopes: ['school:read', 'school:write'], member: { member_id: MEMBER, roles } });
    for (const roles of [['lecturer'], ['teaching_assistant'], ['student'], []] as Role[][]) {
      expect(await call('update_school', { name: 'Theirs' }, as(roles))).toMatchObject({ code: 'forbidden' });
    }
    expect(await call('update_school', { name: 'Ours' }, as(['admin']))).toMatchObject({ school: { name: 'Ours' } });
    const { body, headers } = await get();
    expect(await call('get_school', {}, as(['admin']))).toEqual({ ...body, etag: headers['etag'] });
  });

  it('leaves settings to the school that it has changed once, when a declaration is applied again', async () => {
    await patch({ name: 'Kept' });
    const school = { name: 'Declared', currency: 'TWD', terms_url: `${WEB}/declared` };
    await declare(api, { sites: [{ site_id: here().site_id, school }] });
    expect((await get()).body).toMatchObject({ name: 'Kept' });
  });
});

describe('a URL template', () => {
  it('gives objects a url from the next request on, and takes it away', async () => {
    const course = await newCourse(api);
    const [lecture = ''] = await newLectures(api, course.id, 1);
    const lecturer = (await api.send('POST', '/api/v1/lecturers', { body: { slug: unique('mei'), name: 'Mei' } })).body;
    const paths = [`courses/${course.id}`, `lectures/${lecture}`, `lecturers/${String(lecturer['id'])}`];
    const shown = () => Promise.all(paths.map((path) => api.send('GET', `/api/v1/${path}`)));
    const before = await shown();
    expect(before.map(({ body }) => 'url' in body)).toEqual([false, false, false]);
    const url_templates = {
      course: `${WEB}/courses/{slug}`,
      lecture: `${WEB}/courses/{course_slug}/{slug}?c={course_id}`,
      lecturer: `${WEB}/teachers/{id}`,
    };
    await patch({ url_templates });
    const after = await shown();
    expect(after.map(({ body }) => body['url'])).toEqual([
      `${WEB}/courses/${course.slug}`,
      `${WEB}/courses/${course.slug}/${String(after[1]?.body['slug'])}?c=${course.id}`,
      `${WEB}/teachers/${String(lecturer['id'])}`,
    ]);
    after.forEach(({ headers: head }, index) => expect(head['etag']).not.toBe(before[index]?.headers['etag']));
    const made = await api.send('POST', '/api/v1/courses', { body: { name: 'New', slug: unique('new') } });
    expect(made.body['url']).toBe(`${WEB}/courses/${String(made.body['slug'])}`);
    const list = async (path: string) => (await api.send<{ data: object[] }>('GET', `/api/v1/${path}`)).body.data;
    expect(await list('courses?fields=id,url&limit=1')).toEqual([{ id: made.body['id'], url: made.body['url'] }]);
    const [second = ''] = await newLectures(api, String(made.body['id']), 1);
    const { body: one } = await api.send('GET', `/api/v1/lectures/${second}`);
    expect(one['url']).toMatch(`${WEB}/courses/${String(made.body['slug'])}/`);
    expect(await list('lectures?fields=id,url&limit=2')).toEqual([
      { id: second, url: one['url'] },
      { id: lecture, url: after[1]?.body['url'] },
    ]);
    expect(await list('lecturers?fields=url&limit=1')).toEqual([{ url: after[2]?.body['url'] }]);
    const elsewhere = await newCourse(api, {}, api.sites[1]);
    const other = await api.send('GET', `/api/v1/courses/${elsewhere.id}`, { site: api.sites[1] });
    expect(other.body).not.toHaveProperty('url');
    await patch({ url_templates: { course: null } });
    expect((await shown()).map(({ body }) => 'url' in body)).toEqual([false, true, true]);
  });
});

describe('a request of auth to switch MCP connections', () => {
  it.each<[Role, boolean]>([
    ['owner', false],
    ['admin', true],
  ])('switches for an %s (%p), with the member as the actor', async (role, enabled) => {
    expect(await switched(enabled, [role])).toEqual({ enabled });
    expect((await get()).body).toMatchObject({ features: { mcp_connections: enabled } });
    const events = await api.events.matching(
      ({ type, data }) =>
        type === 'school.school.updated.v1' &&
        (data['features'] as { mcp_connections: unknown }).mcp_connections === enabled,
      1,
    );
    expect(events.at(-1)?.actor).toMatchObject({ member_id: MEMBER, client_id: null, via: 'page' });
  });

  it.each<[Role[]]>([[[]], [['student']], [['lecturer', 'teaching_assistant']]])(
    'refuses the roles %j',
    async (roles) => {
      const { body } = await get();
      expect(await switched(false, roles)).toBe('forbidden');
      expect((await get()).body).toEqual(body);
    },
  );
});
