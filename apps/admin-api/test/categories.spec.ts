import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
let database: pg.Client;
beforeAll(async () => {
  api = await startAdminApi();
  database = new pg.Client(api.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await api.stop();
});

async function newCategory(site = api.sites[0], body: object = {}): Promise<string> {
  const response = await api.send('POST', '/api/v1/categories', {
    site,
    body: { name: 'Painting', slug: unique('category'), ...body },
  });
  expect(response.status).toBe(201);
  return String(response.body['id']);
}

async function coursesIn(category: string): Promise<unknown[]> {
  const { body } = await api.send<{ data: { id: string }[] }>('GET', `/api/v1/courses?category_id=${category}`);
  return body.data.map(({ id }) => id);
}

it('puts courses into categories, in the order of the course, and finds them by category', async () => {
  const [a, b] = [await newCategory(), await newCategory()];
  const { id, etag } = await newCourse(api, { category_ids: [b, a] });
  const other = await newCourse(api, { category_ids: [a] });
  const path = `/api/v1/courses/${id}`;
  expect((await api.send('GET', path)).body).toMatchObject({ category_ids: [b, a] });
  expect(await coursesIn(a)).toEqual([other.id, id]);
  expect(await coursesIn(b)).toEqual([id]);
  const changed = await api.send('PATCH', path, { body: { category_ids: [a] } });
  expect(changed.body).toMatchObject({ category_ids: [a] });
  expect(changed.headers['etag']).not.toBe(etag);
  expect(await coursesIn(b)).toEqual([]);
});

it('sets the categories of a course by its own key', async () => {
  const [a, b] = [await newCategory(), await newCategory()];
  const path = `/api/v1/courses/by_external_id/${unique('key')}`;
  const body = { name: 'Keyed', slug: unique('keyed') };
  const created = await api.send('PUT', path, { body: { ...body, category_ids: [a] } });
  expect([created.status, created.body['category_ids']]).toEqual([201, [a]]);
  expect((await api.send('PUT', path, { body })).body).toMatchObject({ category_ids: [a] });
  expect((await api.send('PUT', path, { body: { ...body, category_ids: [b] } })).body).toMatchObject({
    category_ids: [b],
  });
});

it('refuses a category of another site, one that occurs twice, and more than 20', async () => {
  const [here, elsewhere] = [await newCategory(), await newCategory(api.sites[1])];
  const { id } = await newCourse(api, { category_ids: [here] });
  const many = Array.from({ length: 21 }, () => randomUUID());
  for (const category_ids of [[elsewhere], [here, elsewhere], [here, here], many]) {
    const refused = await api.send('PATCH', `/api/v1/courses/${id}`, { body: { category_ids } });
    expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/category_ids' }]]);
  }
  expect((await api.send('GET', `/api/v1/courses/${id}`)).body).toMatchObject({ category_ids: [here] });
});

it('sorts categories by position as a number', async () => {
  const site = api.sites[1];
  const ids: string[] = [];
  for (const position of [10, 9, 100]) ids.push(await newCategory(site, { position }));
  const [ten, nine, hundred] = ids;
  const seen: unknown[] = [];
  let cursor = '';
  while (cursor !== 'null') {
    const next = cursor === '' ? '' : `&cursor=${cursor}`;
    const path = `/api/v1/categories?limit=1&sort=position${next}`;
    const { body } = await api.send<{ data: { id: string }[]; page: { next_cursor: string | null } }>('GET', path, {
      site,
    });
    seen.push(...body.data.map(({ id }) => id));
    cursor = String(body.page.next_cursor);
  }
  expect(seen.filter((id) => ids.includes(String(id)))).toEqual([nine, ten, hundred]);
});

it('keeps a category that a course has, and deletes it afterward', async () => {
  const category = await newCategory();
  const { id } = await newCourse(api, { category_ids: [category] });
  const path = `/api/v1/categories/${category}`;
  const refused = await api.send('DELETE', path);
  expect([refused.status, refused.body['code']]).toEqual([409, 'resource_in_use']);
  await api.send('PATCH', `/api/v1/courses/${id}`, { body: { category_ids: [] } });
  expect((await api.send('DELETE', path)).status).toBe(204);
});

it('deletes a category after it is taken off an archived course, which keeps all else', async () => {
  const category = await newCategory();
  const { id } = await newCourse(api, { category_ids: [category] });
  const course = `/api/v1/courses/${id}`;
  for (const action of ['publish', 'unpublish', 'archive'])
    expect((await api.send('POST', `${course}/${action}`)).status).toBe(200);
  expect((await api.send('DELETE', `/api/v1/categories/${category}`)).body['code']).toBe('resource_in_use');
  const refused = await api.send('PATCH', course, { body: { name: 'Another', category_ids: [] } });
  expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
  const taken = await api.send('PATCH', course, { body: { category_ids: [] } });
  expect(taken).toMatchObject({ status: 200, body: { state: 'archived', category_ids: [] } });
  expect((await api.send('DELETE', `/api/v1/categories/${category}`)).status).toBe(204);
});

it('never leaves a course in a category that is deleted while the course names it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const category = await newCategory();
    const { id } = await newCourse(api);
    const [changed, deleted] = await Promise.all([
      api.send('PATCH', `/api/v1/courses/${id}`, { body: { category_ids: [category] } }),
      api.send('DELETE', `/api/v1/categories/${category}`),
    ]);
    expect([
      [200, 409],
      [422, 204],
    ]).toContainEqual([changed.status, deleted.status]);
  }
});

it('lets a teacher set the categories of an own course, and not change categories', async () => {
  const member = { member_id: randomUUID(), roles: ['lecturer' as const] };
  const { rows } = await database.query<{ id: string }>(
    `insert into lecturers (site_id, slug, name, member_id) values ($1, $2, 'Mei Lin', $3) returning id`,
    [api.sites[0].site_id, unique('lecturer'), member.member_id],
  );
  const category = await newCategory();
  const own = await newCourse(api, { lecturer_ids: rows.map(({ id }) => id) });
  const other = await newCourse(api);
  const call = (name: string, args: object) =>
    toolCaller(api).call<Record<string, unknown>>(name, args, { scopes: ['courses:read', 'courses:write'], member });
  expect(await call('update_course', { id: own.id, category_ids: [category] })).toMatchObject({
    course: { category_ids: [category] },
  });
  expect(await call('update_course', { id: other.id, category_ids: [category] })).toMatchObject({ code: 'not_found' });
  for (const [name, args] of [
    ['create_category', { name: 'New', slug: unique('new') }],
    ['update_category', { id: category, name: 'New' }],
    ['delete_category', { id: category }],
  ] as const) {
    expect([name, (await call(name, args))['code']]).toEqual([name, 'forbidden']);
  }
});
