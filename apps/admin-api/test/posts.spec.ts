import { postEvents } from '@lyceum/contracts';
import { PostService } from '#src/posts/post.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { newCourse, unique } from './new-course.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const UNKNOWN = '019ab3c0-0000-7000-8000-000000000000';
const FUTURE = '2090-01-01T00:00:00.000Z';

type Body = Record<string, unknown>;

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

async function create(path: string, body: Body = {}): Promise<string> {
  const made = await api.send('POST', `/api/v1/${path}`, { body: { slug: unique('post'), ...body } });
  expect(made.status).toBe(201);
  return String(made.body['id']);
}
const newPost = (body: Body = {}): Promise<string> => create('posts', { title: 'Tides', ...body });
const pathOf = (id: string): string => `/api/v1/posts/${id}`;
const patch = (id: string, body: Body) => api.send('PATCH', pathOf(id), { body });
const act = (id: string, action: string) => api.send('POST', `${pathOf(id)}/${action}`);
const names = async (id: string, count: number): Promise<unknown[]> =>
  (await api.events.of([id], count)).map(({ type }) => type.split('.')[2]);
const pointers = ({ body }: { readonly body: Body }): unknown =>
  (body['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`);

/** Lets the date of scheduled posts come. */
const comes = (...ids: string[]) =>
  withDatabase(api.databaseUrl, (client) =>
    client.query(`update posts set published_at = now() - interval '1 second' where id = any($1)`, [ids]),
  );
const followClock = (service = api.service, limit = 100): Promise<number> =>
  service.app.get(PostService, { strict: false }).followClock(limit);

async function scheduled(): Promise<string> {
  const id = await newPost({ published_at: FUTURE });
  expect((await act(id, 'publish')).body).toMatchObject({ state: 'scheduled' });
  return id;
}

it('publishes a post with the data that members are notified of, and takes it back with its date', async () => {
  const course_id = (await newCourse(api)).id;
  const id = await newPost({ course_id, body_html: '<p onclick="x()">A<script>1</script></p>', excerpt: 'High.' });
  expect((await api.send('GET', pathOf(id))).body).toMatchObject({ body_html: '<p>A</p>', state: 'draft' });
  const { data } = (await api.send<{ data: Body[] }>('GET', '/api/v1/posts?limit=1')).body;
  expect(data).toMatchObject([{ id, excerpt: 'High.' }]);
  expect(data[0]).not.toHaveProperty('body_html');
  const { published_at } = (await act(id, 'publish')).body;
  const [, event] = await api.events.of([id], 2);
  expect(event?.type).toBe('school.post.published.v1');
  expect(postEvents.data.parse(event?.data)).toMatchObject({
    course_id,
    title: 'Tides',
    access_type: 'public_access',
    excerpt: 'High.',
    state: 'published',
    published_at,
  });
  expect((await act(id, 'unpublish')).body).toMatchObject({ state: 'draft', published_at });
  expect((await act(id, 'publish')).body).toMatchObject({ state: 'published', published_at });
});

it('follows the clock in reads at once, and publishes a scheduled post once with several replicas', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, scheduled));
  const [id = ''] = ids;
  const { headers } = await api.send('GET', pathOf(id));
  const [later] = [await scheduled()];
  await comes(...ids);
  const due = await api.send('GET', pathOf(id));
  expect(due.body).toMatchObject({ state: 'published' });
  expect(due.headers['etag']).not.toBe(headers['etag']);
  expect((await api.send('GET', '/api/v1/posts?state=scheduled&limit=100')).text).not.toContain(id);
  const replica = await api.replica();
  await Promise.all([followClock(), followClock(replica), followClock(api.service, 2)]);
  expect(await followClock()).toBe(0);
  for (const one of ids) expect(await names(one, 3)).toEqual(['created', 'scheduled', 'published']);
  const published = (await api.send('GET', '/api/v1/posts?state=published&limit=100')).text;
  for (const one of ids) expect(published).toContain(one);
  expect((await api.send('GET', pathOf(later ?? ''))).body).toMatchObject({ state: 'scheduled' });
});

it('publishes a scheduled post by a date of the past, and moves or refuses other dates', async () => {
  const id = await scheduled();
  expect((await patch(id, { published_at: '2089-01-01T00:00:00Z' })).body).toMatchObject({ state: 'scheduled' });
  expect(pointers(await patch(id, { published_at: null }))).toEqual(['/published_at required']);
  const published_at = '2026-01-01T00:00:00.000Z';
  expect((await patch(id, { published_at })).body).toMatchObject({ state: 'published', published_at });
  expect(pointers(await patch(id, { published_at: FUTURE }))).toEqual(['/published_at too_large']);
  expect(await names(id, 4)).toEqual(['created', 'scheduled', 'updated', 'published']);
});

it('publishes a post whose date has come with the edit that comes before the clock', async () => {
  const id = await scheduled();
  await comes(id);
  expect((await patch(id, { title: 'Ebb' })).body).toMatchObject({ state: 'published', title: 'Ebb' });
  await followClock();
  expect(await names(id, 3)).toEqual(['created', 'scheduled', 'published']);
});

it('keeps what a post names, and refuses what the site does not have', async () => {
  const [category_id, author_id] = [
    await create('categories', { name: 'News' }),
    await create('lecturers', { name: 'Mei' }),
  ];
  const course_id = (await newCourse(api)).id;
  const id = await newPost({ category_id, author_id, course_id });
  for (const path of [`categories/${category_id}`, `lecturers/${author_id}`, `courses/${course_id}`])
    expect((await api.send('DELETE', `/api/v1/${path}`)).body).toMatchObject({ code: 'resource_in_use' });
  for (const member of ['category_id', 'author_id', 'course_id']) {
    expect(pointers(await patch(id, { [member]: UNKNOWN }))).toEqual([`/${member} not_found`]);
    const body = { title: 'A', slug: unique('post'), [member]: UNKNOWN };
    expect(pointers(await api.send('POST', '/api/v1/posts', { body }))).toEqual([`/${member} not_found`]);
  }
  expect((await api.send('DELETE', pathOf(id))).status).toBe(204);
  for (const path of [`categories/${category_id}`, `lecturers/${author_id}`, `courses/${course_id}`])
    expect((await api.send('DELETE', `/api/v1/${path}`)).status).toBe(204);
});

it('lets go of what an archived post names, so that it can be deleted', async () => {
  const named = {
    category_id: await create('categories', { name: 'News' }),
    author_id: await create('lecturers', { name: 'Mei' }),
    course_id: (await newCourse(api)).id,
  };
  const id = await newPost(named);
  for (const action of ['publish', 'archive']) expect((await act(id, action)).status).toBe(200);
  expect((await patch(id, { title: 'Ebb', course_id: null })).body).toMatchObject({ code: 'invalid_state' });
  const freed = { category_id: null, author_id: null, course_id: null };
  expect((await patch(id, freed)).body).toMatchObject({ state: 'archived', ...freed });
  for (const path of [`categories/${named.category_id}`, `lecturers/${named.author_id}`, `courses/${named.course_id}`])
    expect((await api.send('DELETE', `/api/v1/${path}`)).status).toBe(204);
});

it('deletes a course or keeps it for a post that is created at the same time', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { id } = await newCourse(api);
    const body = { title: 'A', slug: unique('post'), course_id: id };
    const [gone, made] = await Promise.all([
      api.send('DELETE', `/api/v1/courses/${id}`),
      api.send('POST', '/api/v1/posts', { body }),
    ]);
    expect([
      [204, 422],
      [409, 201],
    ]).toContainEqual([gone.status, made.status]);
  }
});

describe('browse_posts', () => {
  const browse = (args: object, more: object = {}): Promise<Items> =>
    toolCaller(api).call<Items>('browse_posts', args, more);

  it.each([
    ['public_access', '<p>High water.</p>'],
    ['login_required', null],
    ['paid', null],
  ] as const)('shows the body of a post with %s to visitors, or hides it', async (access_type, body_html) => {
    const slug = unique('browsed');
    const text = { body_html: '<p>High water.</p>', excerpt: 'High.' };
    const id = await newPost({ slug, access_type, title: `Browsed ${slug}`, ...text });
    expect(await browse({ slug })).toMatchObject({ code: 'not_found' });
    const { published_at } = (await act(id, 'publish')).body;
    const item = { slug, access_type, excerpt: 'High.', published_at, body_truncated: false };
    expect((await browse({ slug })).items).toMatchObject([{ ...item, body_html }]);
    expect((await browse({ q: `Browsed ${slug}` })).items).toMatchObject([{ ...item, body_html: null }]);
    expect(await browse({ slug }, { site: api.sites[1] })).toMatchObject({ code: 'not_found' });
    await act(id, 'unpublish');
    expect((await browse({ q: `Browsed ${slug}` })).items).toEqual([]);
  });

  it('lists posts by their date, the newest first, page by page', async () => {
    const q = unique('dated');
    const now = Date.now();
    for (const [slug, published_at] of [
      [`${q}-newer`, now - 1_000],
      [`${q}-older`, now - 60_000],
      [`${q}-imported`, Date.UTC(2019, 0, 1)],
    ] as const) {
      const id = await newPost({ slug, published_at: new Date(published_at).toISOString() });
      expect((await act(id, 'publish')).body).toMatchObject({ state: 'published' });
    }
    const first = await browse({ q, first: 2 });
    const second = await browse({ q, first: 2, after: first.next_cursor });
    const slugs = [...first.items, ...second.items].map(({ slug }) => slug);
    expect(slugs).toEqual([`${q}-newer`, `${q}-older`, `${q}-imported`]);
  });
});
