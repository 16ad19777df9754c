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

type Body = Record<string, unknown>;

interface Tree extends Body {
  readonly sections: readonly { readonly id: string; readonly lectures: readonly { readonly id: string }[] }[];
}

async function succeed(method: string, path: string, body?: object): Promise<Body> {
  const response = await api.send(method, path, body === undefined ? {} : { body });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
  return response.body;
}

const newSection = async (course_id: string): Promise<string> =>
  String((await succeed('POST', '/api/v1/sections', { course_id, title: unique('Section') }))['id']);

const newLecture = async (section_id: string, more: object = {}): Promise<string> =>
  String(
    (await succeed('POST', '/api/v1/lectures', { section_id, slug: unique('l'), title: 'Lecture', ...more }))['id'],
  );

const orderOf = ({ sections }: Tree): [string, string[]][] =>
  sections.map(({ id, lectures }) => [id, lectures.map((lecture) => lecture.id)]);

async function tree(course_id: string): Promise<{ tree: Tree; etag: string }> {
  const { body, headers } = await api.send<Tree>('GET', `/api/v1/courses/${course_id}/curriculum`);
  return { tree: body, etag: headers['etag'] ?? '' };
}

it('reads the parts of a course in their order, and counts the published ones', async () => {
  const { id: course_id } = await newCourse(api);
  const [first, second] = [await newSection(course_id), await newSection(course_id)];
  const [a, b] = [
    await newLecture(first, { duration_seconds: 100 }),
    await newLecture(first, { duration_seconds: 20 }),
  ];
  await succeed('POST', `/api/v1/lectures/${a}/publish`);
  const read = await tree(course_id);
  expect(orderOf(read.tree)).toEqual([
    [first, [a, b]],
    [second, []],
  ]);
  expect(read.tree).toMatchObject({ lectures_count: 2, duration_seconds: 100 });
  expect(await succeed('GET', `/api/v1/courses/${course_id}`)).toMatchObject({ duration_seconds: 100 });
  const [event] = (await api.events.of([course_id], 6)).slice(-1);
  expect(event).toMatchObject({
    type: 'school.curriculum.lecture_published.v1',
    data: { part_id: a, sections: [{ section_id: first, lectures: [{ lecture_id: a }, { lecture_id: b }] }, {}] },
  });
});

it('creates a published lecture, and keeps its state when the same key is put again', async () => {
  const { id: course_id } = await newCourse(api);
  const section_id = await newSection(course_id);
  const body = { section_id, slug: unique('l'), title: 'Lecture', state: 'published', duration_seconds: 60 };
  const path = `/api/v1/lectures/by_external_id/${unique('key')}`;
  const made = await succeed('PUT', path, body);
  expect(made).toMatchObject({ state: 'published', published_at: expect.any(String) });
  const again = await succeed('PUT', path, { ...body, title: 'Renamed', state: 'draft' });
  expect(again).toMatchObject({ id: made['id'], title: 'Renamed', state: 'published' });
  expect(await succeed('GET', `/api/v1/courses/${course_id}`)).toMatchObject({ duration_seconds: 60 });
});

it('puts all parts into a new order at once, with the current entity tag', async () => {
  const { id: course_id } = await newCourse(api);
  const [first, second] = [await newSection(course_id), await newSection(course_id)];
  const [a, b] = [await newLecture(first), await newLecture(first)];
  const path = `/api/v1/courses/${course_id}/curriculum/order`;
  const body = {
    sections: [
      { id: second, lecture_ids: [b, a] },
      { id: first, lecture_ids: [] },
    ],
  };
  const { etag } = await tree(course_id);
  const bare = await api.send('PUT', path, { body });
  expect([bare.status, bare.body['code']]).toEqual([428, 'precondition_required']);
  const put = (tag: string) => api.send<Tree>('PUT', path, { body, headers: { 'if-match': tag } });
  const ordered = await put(etag);
  expect(ordered.status).toBe(200);
  expect(orderOf(ordered.body)).toEqual([
    [second, [b, a]],
    [first, []],
  ]);
  expect((await put(etag)).status).toBe(412);
  const again = await put(ordered.headers['etag'] ?? '');
  expect([again.status, again.headers['etag']]).toEqual([200, ordered.headers['etag']]);
  expect(await succeed('GET', `/api/v1/lectures/${b}`)).toMatchObject({ section_id: second, position: 1 });
});

it('moves a lecture to the end of another section of its course, and of no other course', async () => {
  const { id: course_id } = await newCourse(api);
  const [first, second] = [await newSection(course_id), await newSection(course_id)];
  const [a, b] = [await newLecture(first), await newLecture(second)];
  await succeed('PATCH', `/api/v1/lectures/${a}`, { section_id: second });
  expect(orderOf((await tree(course_id)).tree)).toEqual([
    [first, []],
    [second, [b, a]],
  ]);
  const foreign = await newSection((await newCourse(api)).id);
  const refused = await api.send('PATCH', `/api/v1/lectures/${a}`, { body: { section_id: foreign } });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/section_id' }] } });
});

it('keeps a slug unique in its course only', async () => {
  const [one, other] = [await newSection((await newCourse(api)).id), await newSection((await newCourse(api)).id)];
  const slug = unique('same');
  const id = await newLecture(one, { slug });
  await newLecture(other, { slug });
  const taken = await api.send('POST', '/api/v1/lectures', { body: { section_id: one, slug, title: 'Lecture' } });
  expect(taken).toMatchObject({ status: 409, body: { code: 'already_exists', errors: [{ pointer: '/slug', id }] } });
});

it('keeps a section with lectures, and a lecture with progress', async () => {
  const { id: course_id } = await newCourse(api);
  const section = await newSection(course_id);
  const lecture = await newLecture(section);
  const inUse = await api.send('DELETE', `/api/v1/sections/${section}`);
  expect([inUse.status, inUse.body['code']]).toEqual([409, 'resource_in_use']);
  const { id: student } = await succeed('POST', '/api/v1/students', { email: `${unique('s')}@example.com` });
  await succeed('POST', `/api/v1/students/${String(student)}/enrollments`, { course_id });
  await succeed('POST', `/api/v1/students/${String(student)}/progress`, {
    course_id,
    lecture_id: lecture,
    position_seconds: 1,
    watched_at: new Date().toISOString(),
  });
  expect((await api.send('DELETE', `/api/v1/lectures/${lecture}`)).status).toBe(409);
  const other = await newLecture(section);
  expect((await api.send('DELETE', `/api/v1/lectures/${other}`)).status).toBe(204);
});

it('changes no part of an archived course', async () => {
  const { id: course_id } = await newCourse(api);
  const section = await newSection(course_id);
  for (const action of ['publish', 'unpublish', 'archive'])
    await succeed('POST', `/api/v1/courses/${course_id}/${action}`);
  const refused = await api.send('PATCH', `/api/v1/sections/${section}`, { body: { title: 'Late' } });
  expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
});

it('reorders by a tool only with the etag of the current order', async () => {
  const { call } = toolCaller(api);
  const caller = { scopes: ['curriculum:read', 'curriculum:write'] };
  const { id: course_id } = await newCourse(api);
  const [first, second] = [await newSection(course_id), await newSection(course_id)];
  const reorder = (ids: readonly string[], more: object) =>
    call('reorder_curriculum', { course_id, sections: ids.map((id) => ({ id, lecture_ids: [] })), ...more }, caller);
  const { etag } = await call<{ etag: string }>('get_curriculum', { course_id }, caller);
  expect(etag).toBe((await tree(course_id)).etag);
  expect(await reorder([second, first], {})).toMatchObject({
    code: 'precondition_required',
    detail: 'if_match is missing',
  });
  const done = await reorder([second, first], { if_match: etag });
  expect(done).toMatchObject({ curriculum: { sections: [{ id: second }, { id: first }] } });
  const current = (done['curriculum'] as { readonly etag: string }).etag;
  expect(current).toBe((await tree(course_id)).etag);
  expect(await reorder([first, second], { if_match: etag })).toMatchObject({ code: 'precondition_failed' });
  expect(orderOf((await tree(course_id)).tree).map(([id]) => id)).toEqual([second, first]);
  expect(await reorder([first, second], { if_match: current })).toMatchObject({ dry_run: false });
});

it('keeps the order whole while many lectures are added at once', async () => {
  const { id: course_id } = await newCourse(api);
  const section = await newSection(course_id);
  await Promise.all(Array.from({ length: 8 }, () => newLecture(section)));
  const { rows } = await database.query<{ position: number }>(
    'select position from lectures where section_id = $1 order by position',
    [section],
  );
  expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
