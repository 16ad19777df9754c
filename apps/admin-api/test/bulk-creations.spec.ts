import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';
import { statementsOf } from './statements.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

interface Result {
  readonly status: number;
  readonly id: string | null;
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly id?: string }[];
}

const bulk = async (collection: string, items: readonly object[], atomic = false): Promise<readonly Result[]> => {
  const { status, body, text } = await api.send<{ results: readonly Result[] }>('POST', `/api/v1/${collection}/bulk`, {
    body: { items, atomic },
  });
  if (status !== 200) throw new Error(text);
  return body.results;
};

const read = async (path: string): Promise<Record<string, unknown>> => (await api.send('GET', `/api/v1/${path}`)).body;

const outcomes = (results: readonly Result[]): unknown[] =>
  results.map(({ status, errors }) => [status, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)]);

const unique = (): string => `a${randomUUID()}`;

describe('students', () => {
  const student = (more: object = {}): { readonly email: string } => ({ email: `${unique()}@example.com`, ...more });

  it('adds each student that can be added, and names the one in the way', async () => {
    const key = unique();
    const [known] = await bulk('students', [student({ external_id: key })]);
    const [first, second] = [student({ name: 'Mei', tags: ['a'], metadata: { a: 'b' } }), student()];
    const results = await bulk('students', [
      first,
      { email: 'x' },
      { ...first, name: 'Other' },
      student({ external_id: key }),
      second,
    ]);
    expect(outcomes(results)).toEqual([
      [201],
      [422, '/items/1/email invalid_format'],
      [409, '/items/2/email already_exists'],
      [409, '/items/3/external_id already_exists'],
      [201],
    ]);
    expect(results.slice(2, 4).map(({ errors }) => errors[0]?.id)).toEqual([results[0]?.id, known?.id]);
    expect(await read(`students/${results[0]?.id}`)).toMatchObject({ name: 'Mei', tags: ['a'], metadata: { a: 'b' } });
    expect(await read(`students/${results[4]?.id}`)).toMatchObject({
      name: second.email.split('@')[0],
      state: 'active',
    });
  });

  it('publishes an event for each student, with the mail that its item asks for', async () => {
    const twice = student({ send_welcome_email: true });
    const results = await bulk('students', [student(), twice, { ...twice, send_welcome_email: false }]);
    const events = await api.events.of(
      results.slice(0, 2).map(({ id }) => id ?? ''),
      2,
    );
    const mails = events.map(
      ({ type, data }) => `${type} ${String(Reflect.get(data as object, 'send_welcome_email'))}`,
    );
    expect(mails.toSorted()).toEqual(['school.student.created.v1 false', 'school.student.created.v1 true']);
  });

  it('adds none of an atomic request with an error', async () => {
    const [one, two] = [student(), student()];
    const results = await bulk('students', [one, one, two], true);
    expect(results.map(({ status, id }) => [status, id])).toEqual([
      [424, null],
      [409, null],
      [424, null],
    ]);
    expect(results[1]?.errors[0]?.id).toBeUndefined();
    expect((await read(`students?email=${one.email}`))['data']).toEqual([]);
  });

  it('sends as many statements for 100 students as for one', async () => {
    const sent = async (count: number): Promise<number> => {
      const items = Array.from({ length: count }, () => student());
      return (await statementsOf(api, 'students_people_of', () => bulk('students', items))).length;
    };
    const one = await sent(1);
    expect(one).toBeGreaterThan(0);
    expect(await sent(100)).toBe(one);
  });
});

describe('courses', () => {
  const course = (more: object = {}): object => ({ name: 'A course', slug: unique(), ...more });

  it('creates each course that can be created, with its lists, and names the one in the way', async () => {
    const create = async (path: string, body: object): Promise<string> =>
      (await api.send<{ id: string }>('POST', `/api/v1/${path}`, { body })).body.id;
    const lecturer_ids = [await create('lecturers', { name: 'Mei', slug: unique() })];
    const category_ids = [await create('categories', { name: 'Sea', slug: unique() })];
    const full = course({ lecturer_ids, category_ids, description_html: '<p>Tides</p>', tags: ['a'] });
    const results = await bulk('courses', [
      full,
      course({ lecturer_ids: [randomUUID()] }),
      { ...full, name: 'Other' },
      course({ image_file_id: randomUUID() }),
      course(),
    ]);
    expect(outcomes(results)).toEqual([
      [201],
      [422, '/items/1/lecturer_ids not_found'],
      [409, '/items/2/slug already_exists'],
      [422, '/items/3/image_file_id not_found'],
      [201],
    ]);
    expect(results[2]?.errors[0]?.id).toBe(results[0]?.id);
    expect(await read(`courses/${results[0]?.id}`)).toMatchObject(full);
    expect(await read(`courses/${results[4]?.id}`)).toMatchObject({ lecturer_ids: [], tags: [], state: 'draft' });
    const types = (await api.events.of([results[0]?.id ?? ''], 2)).map(({ type }) => type);
    expect(types.toSorted()).toEqual(['school.course.created.v1', 'school.text.changed.v1']);
  });

  it('sends as many statements for 100 courses as for two', async () => {
    const lecturer = await api.send('POST', '/api/v1/lecturers', { body: { name: 'Mei', slug: unique() } });
    const lists = { lecturer_ids: [lecturer.body['id']], description_html: '<p>Tides</p>' };
    const sent = async (count: number): Promise<number> => {
      const items = Array.from({ length: count }, () => course(lists));
      return (await statementsOf(api, 'course_lecturers_add', () => bulk('courses', items))).length;
    };
    const two = await sent(2);
    expect(two).toBeGreaterThan(0);
    expect(await sent(100)).toBe(two);
  });
});

it('creates categories, and refuses a slug that occurs twice', async () => {
  const slug = unique();
  const results = await bulk('categories', [
    { slug, name: 'One', position: 3 },
    { slug, name: 'Two' },
  ]);
  expect(outcomes(results)).toEqual([[201], [409, '/items/1/slug already_exists']]);
  expect(await read(`categories/${results[0]?.id}`)).toMatchObject({ name: 'One', position: 3 });
});

describe('the parts of courses', () => {
  it('creates sections in their order behind the ones of their course', async () => {
    const [{ id: course_id }, { id: other }] = [await newCourse(api), await newCourse(api)];
    await api.send('POST', '/api/v1/sections', { body: { course_id, title: 'Before' } });
    const results = await bulk('sections', [
      { course_id, title: 'One' },
      { course_id: other, title: 'Elsewhere' },
      { course_id: randomUUID(), title: 'Nowhere' },
      { course_id, title: 'Two', drip_days: 7 },
    ]);
    expect(outcomes(results)).toEqual([[201], [201], [404, '/items/2 not_found'], [201]]);
    const { data } = await read(`sections?course_id=${course_id}&sort=position`);
    expect(data).toMatchObject([
      { title: 'Before', position: 1 },
      { title: 'One', position: 2 },
      { title: 'Two', position: 3, drip_days: 7 },
    ]);
    const events = await api.events.of([course_id], 4);
    const parts = events.filter(({ type }) => type === 'school.curriculum.section_created.v1');
    expect(parts.map(({ aggregate_version }) => aggregate_version)).toEqual([1, 2, 3]);
    expect(parts.at(-1)?.data).toMatchObject({
      part_id: results[3]?.id,
      sections: [{ title: 'Before' }, { title: 'One' }, { title: 'Two' }],
    });
  });

  it('refuses sections beyond the limit of a course', async () => {
    const { id: course_id } = await newCourse(api);
    const items = Array.from({ length: 52 }, (_, index) => ({ course_id, title: `Section ${index}` }));
    const statuses = (await bulk('sections', items)).map(({ status }) => status);
    expect([statuses.indexOf(409), statuses.filter((status) => status === 201).length]).toEqual([50, 50]);
  });

  it('creates lectures of several sections, with links and without files', async () => {
    const { id: course_id } = await newCourse(api);
    const [one, two] = (
      await bulk('sections', [
        { course_id, title: 'A' },
        { course_id, title: 'B' },
      ])
    ).map(({ id }) => id);
    const link = { title: 'List', kind: 'link', url: 'https://example.com/list' };
    const file = { title: 'File', kind: 'file', file_id: randomUUID() };
    const results = await bulk('lectures', [
      { section_id: one, slug: 'first', title: 'First', attachments: [link] },
      { section_id: two, slug: 'third', title: 'Third', state: 'published', duration_seconds: 60 },
      { section_id: one, slug: 'second', title: 'Second' },
      { section_id: one, slug: 'first', title: 'Again' },
      { section_id: one, slug: 'file', title: 'File', attachments: [link, file] },
      { section_id: randomUUID(), slug: 'none', title: 'None' },
    ]);
    expect(outcomes(results)).toEqual([
      [201],
      [201],
      [201],
      [409, '/items/3/slug already_exists'],
      [422, '/items/4/attachments/1/file_id invalid_value'],
      [404, '/items/5 not_found'],
    ]);
    expect((await read(`courses/${course_id}/curriculum`))['sections']).toMatchObject([
      { title: 'A', lectures: [{ slug: 'first' }, { slug: 'second' }] },
      { title: 'B', lectures: [{ slug: 'third', state: 'published' }] },
    ]);
    expect(await read(`lectures/${results[0]?.id}`)).toMatchObject({
      position: 1,
      state: 'draft',
      attachments: [link],
    });
  });
});
