import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { course } from '#src/courses/course.schema.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const create = (body?: object) => newCourse(api, body);

describe('creating a course', () => {
  it('creates a draft and trims the name', async () => {
    const slug = unique('created');
    const response = await api.send('POST', '/api/v1/courses', { body: { name: '  Watercolor ', slug } });
    expect(response.status).toBe(201);
    expect(course.object.strict().parse(response.body)).toMatchObject({
      name: 'Watercolor',
      slug,
      state: 'draft',
      published_at: null,
    });
  });

  it.each([
    ['an unknown member within', { name: 'x', slug: 'x', seo: { 'a/b~c': 1 } }, '/seo/a~1b~0c', 'unknown_member'],
    ['a slug of another shape', { name: 'x', slug: 'Not A Slug' }, '/slug', 'invalid_format'],
    [
      'an image that is no https URL',
      { name: 'x', slug: 'x', image_url: 'http://a.example/x.png' },
      '/image_url',
      'invalid_format',
    ],
    ['a NUL, which no database stores', { name: 'a\u0000b', slug: 'x' }, '/name', 'invalid_value'],
    ['half a surrogate pair', { name: 'x', slug: 'x', seo: { title: '\ud800' } }, '/seo/title', 'invalid_value'],
    [
      'HTML of 101 levels',
      { name: 'x', slug: 'x', description_html: '<b>'.repeat(101) },
      '/description_html',
      'too_deep',
    ],
    ['a tag in a place of the list', { name: 'x', slug: 'x', tags: ['ok', ''] }, '/tags/1', 'too_small'],
  ])('refuses %s with a pointer', async (_what, body, pointer, code) => {
    const response = await api.send('POST', '/api/v1/courses', { body });
    expect(response.status).toBe(422);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.body).toMatchObject({
      code: 'validation_failed',
      errors: expect.arrayContaining([expect.objectContaining({ pointer, code })]),
    });
  });

  it('cleans the description', async () => {
    const description_html =
      '<p onclick="x()">Hi<script>alert(1)</script> <a href="javascript:x()">a</a><img src="http://x/y.png" alt="z"></p>';
    const { id } = await create({ description_html });
    const { body } = await api.send('GET', `/api/v1/courses/${id}`);
    expect(body['description_html']).toBe('<p>Hi <a rel="noopener noreferrer nofollow">a</a><img alt="z" /></p>');
  });
});

describe('changing a course', () => {
  it('keeps absent members and clears null members', async () => {
    const { id } = await create({
      subtitle: 'Sub',
      tags: ['a'],
      seo: { title: 'T', description: 'D' },
      featured: true,
    });
    const response = await api.send('PATCH', `/api/v1/courses/${id}`, {
      body: { subtitle: null, tags: null, seo: { title: null } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      subtitle: null,
      tags: [],
      seo: { title: null, description: 'D' },
      featured: true,
      name: 'A course',
    });
  });
});

describe('the states of a course', () => {
  it('keeps the time of the first publication', async () => {
    const { id } = await create();
    const move = async (name: string) => (await api.send('POST', `/api/v1/courses/${id}/${name}`)).body;
    const { published_at } = await move('publish');
    expect(published_at).not.toBeNull();
    await move('unpublish');
    expect(await move('publish')).toMatchObject({ state: 'published', published_at });
  });

  it('accepts no body or an empty object', async () => {
    const { id } = await create();
    const refused = await api.send('POST', `/api/v1/courses/${id}/publish`, { body: { now: true } });
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/now', code: 'unknown_member' }],
    });
    expect((await api.send('POST', `/api/v1/courses/${id}/publish`, { body: {} })).status).toBe(200);
  });
});

describe('deleting a course', () => {
  const made = async (path: string, body: object): Promise<string> =>
    String((await api.send('POST', path, { body })).body['id']);
  const eventsOf = (course_id: string, count: number) =>
    api.events.matching(({ type, data }) => type.split('.')[2] === 'deleted' && data['course_id'] === course_id, count);

  it('publishes the deletion of its plans and of its curriculum', async () => {
    const { id } = await create();
    const price = { amount_minor: 150_000, currency: 'TWD' };
    const plans = [
      await made(`/api/v1/courses/${id}/plans`, { name: 'Once', plan_type: 'one_time_purchase', price }),
      await made(`/api/v1/courses/${id}/plans`, { name: 'Free', plan_type: 'free' }),
    ];
    const section_id = await made('/api/v1/sections', { course_id: id, title: 'One' });
    await made('/api/v1/lectures', { section_id, slug: 'first', title: 'First' });
    expect((await api.send('DELETE', `/api/v1/courses/${id}?dry_run=true`)).status).toBe(200);
    expect((await api.send('DELETE', `/api/v1/courses/${id}`)).status).toBe(204);
    const events = await eventsOf(id, 4);
    const seen = events.map(
      ({ type, aggregate_id, aggregate_version }) => `${type} ${aggregate_id} ${aggregate_version}`,
    );
    expect(seen.toSorted()).toEqual(
      [
        `school.course.deleted.v1 ${id} 2`,
        ...plans.map((plan) => `school.course_plan.deleted.v1 ${plan} 2`),
        `school.curriculum.deleted.v1 ${id} 3`,
      ].toSorted(),
    );
    const [once] = events.filter(({ aggregate_id }) => aggregate_id === plans[0]);
    expect(once?.data).toMatchObject({ state: 'deleted', name: 'Once', price });
    const [tree] = events.filter(({ type }) => type.startsWith('school.curriculum.'));
    expect(tree?.data).toMatchObject({ part_id: null, sections: [] });
  });

  it('publishes nothing of a course that stays, and the course alone when it has no parts', async () => {
    const [used, empty] = [await create(), await create()];
    await made(`/api/v1/courses/${used.id}/plans`, { name: 'Free', plan_type: 'free' });
    const student = await made('/api/v1/students', { email: `${unique('kept')}@example.com` });
    await made(`/api/v1/students/${student}/enrollments`, { course_id: used.id });
    expect((await api.send('DELETE', `/api/v1/courses/${used.id}`)).body).toMatchObject({ code: 'resource_in_use' });
    expect((await api.send('DELETE', `/api/v1/courses/${empty.id}`)).status).toBe(204);
    expect((await eventsOf(empty.id, 1)).map(({ type }) => type)).toEqual(['school.course.deleted.v1']);
    expect(await eventsOf(used.id, 0)).toEqual([]);
  });
});
