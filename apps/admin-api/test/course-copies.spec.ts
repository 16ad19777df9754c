import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
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

type Body = Record<string, unknown>;

interface Section extends Body {
  readonly lectures: Body[];
}

/** When the first section of a course opens. */
const OPENING = { drip_days: 7, opens_at: '2027-03-01T00:00:00.000Z' };

async function created(path: string, body: object): Promise<string> {
  const response = await api.send('POST', path, { body });
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.text}`);
  return String(response.body['id']);
}

const duplicate = (id: string, body: object = {}) => api.send('POST', `/api/v1/courses/${id}/duplicate`, { body });
const get = async (path: string): Promise<Body> => (await api.send('GET', path)).body;

const PRICE = { amount_minor: 150_000, currency: 'TWD' };

/** A published course with everything that a copy takes along, and what it leaves. */
async function fullCourse(): Promise<string> {
  const lecturer_ids = [await created('/api/v1/lecturers', { slug: unique('lecturer'), name: 'Lecturer' })];
  const category_ids = [await created('/api/v1/categories', { slug: unique('category'), name: 'Category' })];
  const { id } = await newCourse(api, {
    name: 'Watercolor',
    subtitle: 'Light',
    description_html: '<p>Text</p>',
    tags: ['art'],
    seo: { title: 'T', description: null },
    metadata: { a: 'b' },
    external_id: unique('own'),
    lecturer_ids,
    category_ids,
  });
  const plan = { name: 'Once', plan_type: 'one_time_purchase', price: PRICE, external_id: unique('own') };
  await created(`/api/v1/courses/${id}/plans`, plan);
  const keep = { metadata: { a: 'b' }, external_id: unique('own') };
  const section_id = await created('/api/v1/sections', { course_id: id, title: 'One', ...OPENING, ...keep });
  await created('/api/v1/sections', { course_id: id, title: 'Two' });
  const attachments = [{ title: 'List', kind: 'pdf', url: 'https://cdn.example.com/list.pdf', downloadable: true }];
  const lecture = { section_id, slug: 'first', title: 'First', duration_seconds: 60, content_html: '<p>Text</p>' };
  const published = await created('/api/v1/lectures', { ...lecture, attachments, ...keep, external_id: unique('own') });
  await created('/api/v1/lectures', { section_id, slug: 'second', title: 'Second', duration_seconds: 30 });
  await api.send('POST', `/api/v1/lectures/${published}/publish`);
  await api.send('POST', `/api/v1/courses/${id}/publish`);
  const student = await created('/api/v1/students', { email: `${unique('s')}@example.com`, name: 'Student' });
  await created(`/api/v1/students/${student}/enrollments`, { course_id: id });
  return id;
}

it('copies a course with its parts as a draft, and publishes each copied aggregate', async () => {
  const id = await fullCourse();
  const source = await get(`/api/v1/courses/${id}`);
  const response = await duplicate(id);
  const copy = response.body;
  const copy_id = String(copy['id']);
  expect(response.status).toBe(201);
  expect(response.headers['location']).toBe(`${api.sites[0].base_url}/api/v1/courses/${copy_id}`);
  expect(copy).toEqual({
    ...source,
    id: expect.not.stringMatching(id),
    name: 'Watercolor (copy)',
    slug: `${String(source['slug'])}-copy`,
    state: 'draft',
    external_id: null,
    enrollments_count: 0,
    published_at: null,
    created_at: expect.any(String),
    updated_at: copy['created_at'],
  });
  const read = await api.send('GET', `/api/v1/courses/${copy_id}`);
  expect([read.body, read.headers['etag']]).toEqual([copy, response.headers['etag']]);

  const { data: plans } = await get(`/api/v1/courses/${copy_id}/plans`);
  expect(plans).toMatchObject([{ name: 'Once', price: PRICE, active: false, external_id: null }]);
  const parts = async (of: string): Promise<Section[]> =>
    ((await get(`/api/v1/courses/${of}/curriculum`)) as { sections: Section[] }).sections;
  const other = { id: expect.any(String) };
  const [first, second] = await parts(id);
  const lectures = first?.lectures.map((lecture) => ({ ...lecture, ...other }));
  const copied = await parts(copy_id);
  expect(copied).toEqual([
    { ...first, ...other, lectures },
    { ...second, ...other },
  ]);
  expect(await get(`/api/v1/lectures/${String(copied[0]?.lectures[0]?.['id'])}`)).toMatchObject({
    position: 1,
    content_html: '<p>Text</p>',
    attachments: [{ title: 'List', downloadable: true }],
    metadata: { a: 'b' },
    external_id: null,
    published_at: expect.any(String),
  });

  const ofCopy = ({ data }: { data: Body }): boolean => data['course_id'] === copy_id;
  const events = await api.events.matching(ofCopy, 6);
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'school.course.created.v1',
    'school.course_plan.created.v1',
    'school.curriculum.copied.v1',
    'school.lecture_attachments.changed.v1',
    'school.text.changed.v1',
    'school.text.changed.v1',
  ]);
  const tree = events.find(({ type }) => type.startsWith('school.curriculum.'));
  expect(tree).toMatchObject({
    aggregate_version: 1,
    data: { part_id: null, sections: [OPENING, { opens_at: null }] },
  });
  const { data: log } = await get(`/api/v1/activity?object_id=${copy_id}`);
  expect((log as Body[]).map(({ action }) => String(action)).toSorted()).toEqual([
    'course.created',
    'curriculum.copied',
  ]);
});

it('numbers the slugs of copies, and keeps them within the limit', async () => {
  const { id, slug } = await newCourse(api);
  await newCourse(api, { slug: `${slug}-copy-2` });
  const slugs: unknown[] = [];
  for (let count = 0; count < 3; count += 1) slugs.push((await duplicate(id)).body['slug']);
  expect(slugs).toEqual([`${slug}-copy`, `${slug}-copy-3`, `${slug}-copy-4`]);
  const long = await newCourse(api, { slug: `${'a'.repeat(92)}-${'b'.repeat(7)}` });
  expect((await duplicate(long.id)).body['slug']).toBe(`${'a'.repeat(92)}-bb-copy`);
  expect((await duplicate(long.id)).body['slug']).toBe(`${'a'.repeat(92)}-copy-2`);
});

it('takes a name and a slug, and refuses a slug that a course has', async () => {
  const { id, slug } = await newCourse(api);
  const named = { name: 'Spring', slug: unique('spring') };
  expect((await duplicate(id, named)).body).toMatchObject(named);
  const taken = await duplicate(id, { slug });
  expect([taken.status, taken.body['code'], taken.body['errors']]).toMatchObject([
    409,
    'already_exists',
    [{ pointer: '/slug', id }],
  ]);
});

it('copies an archived course as a draft', async () => {
  const { id } = await newCourse(api);
  for (const action of ['publish', 'unpublish', 'archive']) await api.send('POST', `/api/v1/courses/${id}/${action}`);
  expect((await duplicate(id)).body).toMatchObject({ state: 'draft', published_at: null });
});

it('refuses a teacher of the course, and hides the courses of others', async () => {
  const member = { member_id: randomUUID(), roles: ['lecturer' as const] };
  const lecturer = await created('/api/v1/lecturers', { slug: unique('lecturer'), name: 'Lecturer' });
  await database.query('update lecturers set member_id = $1 where id = $2', [member.member_id, lecturer]);
  const { id: own } = await newCourse(api, { lecturer_ids: [lecturer] });
  const { id: foreign } = await newCourse(api);
  const teacher = { scopes: ['courses:write'], member };
  const { call } = toolCaller(api);
  expect(await call('duplicate_course', { id: own }, teacher)).toMatchObject({ code: 'forbidden' });
  expect(await call('duplicate_course', { id: foreign }, teacher)).toMatchObject({ code: 'not_found' });
});

it('sends as many statements for a large course as for a small one', async () => {
  const { id: small } = await newCourse(api);
  const { id: large } = await newCourse(api);
  const [{ site_id }] = api.sites;
  const fill = (course: string, sections: number, lectures: number, plans: number) =>
    database.query(
      `with made as (
         insert into sections (site_id, course_id, title, position) select $1, $2, 'S', n from generate_series(1, $3) n
         returning id, position
       ), planned as (
         insert into course_plans (site_id, course_id, name, plan_type)
         select $1, $2, 'Plan', 'free' from generate_series(1, $5)
       )
       insert into lectures (site_id, course_id, section_id, slug, title, position, lecture_type)
       select $1, $2, id, 'l-' || position || '-' || n, 'L', n, 'video' from made, generate_series(1, $4) n`,
      [site_id, course, sections, lectures, plans],
    );
  await fill(small, 1, 1, 1);
  await fill(large, 50, 5, 100);
  const few = await statementsOf(() => duplicate(small));
  expect(few.filter((text) => text.includes('lectures')).length).toBeGreaterThan(0);
  expect(await statementsOf(() => duplicate(large))).toHaveLength(few.length);
});

/** Statements that work sends about courses and their parts. */
async function statementsOf(work: () => Promise<{ status: number }>): Promise<string[]> {
  const { master: pool } = api.service.app.get(DataSource).driver as unknown as { readonly master: pg.Pool };
  const spies = new Set<jest.SpyInstance>();
  const watch = (client: pg.PoolClient): unknown => spies.add(jest.spyOn(client, 'query'));
  pool.on('acquire', watch);
  expect((await work()).status).toBe(201);
  pool.off('acquire', watch);
  const texts = [...spies].flatMap(({ mock }) => mock.calls as unknown[][]).map(([asked]) => textOf(asked));
  for (const spy of spies) spy.mockRestore();
  return texts.filter((text) => /courses|sections|lectures|course_plans|course_lecturers/.test(text));
}

const textOf = (asked: unknown): string =>
  typeof asked === 'string' ? asked : (asked as { readonly text: string }).text;
