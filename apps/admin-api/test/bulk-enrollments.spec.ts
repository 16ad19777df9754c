import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { newCourse } from './new-course.js';
import { statementsOf } from './statements.js';

const PATH = '/api/v1/enrollments/bulk';
let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

interface Result {
  readonly status: number;
  readonly id: string | null;
  readonly errors: readonly { readonly pointer: string; readonly code: string }[];
}
interface Results {
  readonly results: readonly Result[];
  readonly all_succeeded: boolean;
}

const bulk = async (items: readonly object[], more: object = {}): Promise<Results> =>
  (await api.send<Results>('POST', PATH, { body: { items, ...more } })).body;

const student = async (site = api.sites[0]): Promise<string> =>
  String(
    (await api.send('POST', '/api/v1/students', { site, body: { email: `${randomUUID()}@example.com` } })).body['id'],
  );

/** Inserts students. */
const students = (count: number): Promise<string[]> =>
  withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into students (site_id, email, name)
       select $1, gen_random_uuid() || '@example.com', 'x' from generate_series(1, $2) returning id`,
      [api.sites[0].site_id, count],
    );
    return rows.map(({ id }) => id);
  });

const countOf = async (course_id: string): Promise<unknown> =>
  (await api.send('GET', `/api/v1/courses/${course_id}`)).body['enrollments_count'];

it('gives each item that cannot be enrolled an error, and enrolls the others', async () => {
  const [course, archived, foreign] = [
    await newCourse(api),
    await newCourse(api),
    await newCourse(api, {}, api.sites[1]),
  ];
  for (const move of ['publish', 'unpublish', 'archive']) {
    await api.send('POST', `/api/v1/courses/${archived.id}/${move}`);
  }
  const [one, known, removed] = [await student(), await student(), await student()];
  await withDatabase(api.databaseUrl, (client) =>
    client.query(`update students set state = 'removed' where id = $1`, [removed]),
  );
  const plan = await api.send('POST', `/api/v1/courses/${course.id}/plans`, {
    body: { name: 'x', plan_type: 'free' },
  });
  const before = await api.send('POST', `/api/v1/students/${known}/enrollments`, { body: { course_id: course.id } });
  const items = [
    { student_id: one, course_id: course.id, plan_id: plan.body['id'], source: 'import' },
    { student_id: known, course_id: course.id },
    { student_id: one, course_id: course.id, plan_id: plan.body['id'] },
    { student_id: await student(api.sites[1]), course_id: course.id },
    { student_id: removed, course_id: course.id },
    { student_id: known, course_id: foreign.id },
    { student_id: known, course_id: archived.id },
    { student_id: removed, course_id: course.id, expires_at: '2020-01-01T00:00:00Z' },
    { student_id: known, course_id: archived.id, plan_id: plan.body['id'] },
    { student_id: 'x', course_id: course.id },
    { student_id: known, course_id: course.id, expires_at: '2999-01-01T00:00:00Z' },
    { student_id: one, course_id: course.id },
  ];
  const { results, all_succeeded } = await bulk(items);
  expect(all_succeeded).toBe(false);
  expect(
    results.map(({ status, errors }) => [status, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)]),
  ).toEqual([
    [201],
    [200],
    [200],
    [404, '/items/3 not_found'],
    [409, '/items/4 invalid_state'],
    [422, '/items/5/course_id not_found'],
    [409, '/items/6 invalid_state'],
    [422, '/items/7/expires_at too_small'],
    [409, '/items/8 invalid_state'],
    [422, '/items/9/student_id invalid_format'],
    [409, '/items/10/course_id already_exists'],
    [409, '/items/11/course_id already_exists'],
  ]);
  expect(results[10]?.errors).toMatchObject([{ id: before.body['id'] }]);
  expect(results.slice(0, 3).map(({ id }) => id)).toEqual([results[2]?.id, before.body['id'], results[0]?.id]);
  const enrolled = await api.send('GET', `/api/v1/enrollments/${results[0]?.id ?? ''}`);
  expect(enrolled.body).toMatchObject({ plan_id: plan.body['id'], source: 'import', grants: [{ source: 'import' }] });
  expect(await countOf(course.id)).toBe(2);
  const [event] = await api.events.of([results[0]?.id ?? ''], 1);
  expect(event).toMatchObject({ type: 'school.enrollment.activated.v1', data: { plan_id: plan.body['id'] } });
});

it('keeps external ids unique among the items and at the site', async () => {
  const [first, second] = [await newCourse(api), await newCourse(api)];
  const [one, two] = [await student(), await student()];
  const [taken, key] = [randomUUID(), randomUUID()];
  const own = { external_id: taken, metadata: { cohort: 'evening' } };
  const before = await bulk([{ student_id: one, course_id: first.id, ...own }]);
  const { results } = await bulk([
    { student_id: one, course_id: first.id, ...own },
    { student_id: one, course_id: first.id },
    { student_id: two, course_id: first.id, external_id: taken },
    { student_id: one, course_id: second.id, external_id: key },
    { student_id: two, course_id: second.id, external_id: key },
    { student_id: one, course_id: first.id, external_id: key },
  ]);
  const [known] = before.results;
  expect(results).toMatchObject([
    { status: 200, id: known?.id },
    { status: 200, id: known?.id },
    { status: 409, errors: [{ pointer: '/items/2/external_id', code: 'already_exists', id: known?.id }] },
    { status: 201 },
    { status: 409, errors: [{ pointer: '/items/4/external_id', code: 'already_exists' }] },
    { status: 409, errors: [{ pointer: '/items/5/external_id', code: 'already_exists' }] },
  ]);
  const { body } = await api.send('GET', `/api/v1/enrollments/${known?.id ?? ''}`);
  expect(body).toMatchObject({ student_id: one, ...own });
  expect(await countOf(first.id)).toBe(1);
});

it('gives one of two simultaneous requests the external id', async () => {
  const external_id = randomUUID();
  // The locks of two courses do not order the requests.
  const courses = [await newCourse(api), await newCourse(api)];
  const learners = [await student(), await student()];
  const bodies = courses.map(({ id: course_id }, index) => ({ student_id: learners[index], course_id, external_id }));
  const responses = await Promise.all(bodies.map((body) => api.send('POST', '/api/v1/enrollments', { body })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]));
  const refused = responses.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ code: 'already_exists', errors: [{ pointer: '/external_id' }] });
  const counts = [await countOf(courses[0]?.id ?? ''), await countOf(courses[1]?.id ?? '')];
  expect(new Set(counts)).toEqual(new Set([0, 1]));
});

it.each([
  [{ expires_at: '1970-01-01T00:00:00Z' }, 422],
  [{ plan_id: '019ab3c0-0000-7000-8000-000000000000' }, 422],
])('leaves the enrollment of an item that is refused for %j as it is', async (more, status) => {
  const [student_id, { id: course_id }] = [await student(), await newCourse(api)];
  const [{ id } = { id: null }] = (await bulk([{ student_id, course_id }])).results;
  const row = () =>
    withDatabase(api.databaseUrl, async (client) => {
      const { rows } = await client.query<object>('select * from enrollments where id = $1', [id]);
      return rows[0];
    });
  // The state of a row can differ from that of its grants until the clock follows them.
  await withDatabase(api.databaseUrl, (client) =>
    client.query(`update enrollments set state = 'pending' where id = $1`, [id]),
  );
  const before = await row();
  for (const atomic of [true, false]) {
    const { results } = await bulk([{ student_id, course_id, ...more }], { atomic });
    expect(results).toMatchObject([{ status, id: null }]);
    expect(await row()).toEqual(before);
  }
});

it('enrolls none of an atomic request with an error, and names each one', async () => {
  const { id: course_id } = await newCourse(api);
  const unknown = { student_id: randomUUID(), course_id };
  const { results } = await bulk([{ student_id: await student(), course_id }, unknown, unknown], { atomic: true });
  expect(results.map(({ status, id }) => [status, id])).toEqual([
    [424, null],
    [404, null],
    [404, null],
  ]);
  expect(await countOf(course_id)).toBe(0);
});

it('shows the ids of the enrollments that exist in a dry run, and null for those that it would create', async () => {
  const { id: course_id } = await newCourse(api);
  const [known, other] = [await student(), await student()];
  const [{ id } = { id: null }] = (await bulk([{ student_id: known, course_id }])).results;
  const items = [known, other, other].map((student_id) => ({ student_id, course_id }));
  const { body } = await api.send<Results>('POST', `${PATH}?dry_run=true`, { body: { items } });
  expect(body.results.map((result) => [result.status, result.id])).toEqual([
    [200, id],
    [201, null],
    [200, null],
  ]);
  expect(await countOf(course_id)).toBe(1);
});

it('enrolls the same class twice at the same time without a second enrollment', async () => {
  const [ids, { id: one }, { id: two }] = [await students(40), await newCourse(api), await newCourse(api)];
  const items = ids.flatMap((student_id) => [one, two].map((course_id) => ({ student_id, course_id })));
  const all = await Promise.all([bulk(items), bulk(items.toReversed()), bulk(items)]);
  const statuses = all.flatMap(({ results }) => results.map(({ status }) => status));
  expect([201, 200].map((status) => statuses.filter((one) => one === status).length)).toEqual([80, 160]);
  expect([await countOf(one), await countOf(two)]).toEqual([40, 40]);
});

describe('the statements of a request', () => {
  it('makes as many statements for 200 items as for two, and one writes all enrollments', async () => {
    const [{ id: one }, { id: two }] = [await newCourse(api), await newCourse(api)];
    const plan = await api.send('POST', `/api/v1/courses/${one}/plans`, { body: { name: 'x', plan_type: 'free' } });
    const itemsFor = async (count: number) =>
      (await students(count)).map((student_id, index) =>
        index % 2 === 0 ? { student_id, course_id: one, plan_id: plan.body['id'] } : { student_id, course_id: two },
      );
    const [few, many] = [await itemsFor(2), await itemsFor(200)];
    const counted = [];
    for (const items of [few, many]) {
      counted.push(
        await statementsOf(api, 'enrollments_write', async () =>
          expect((await bulk(items, { atomic: true })).all_succeeded).toBe(true),
        ),
      );
    }
    expect(counted[1]).toEqual(counted[0]);
    // Begin, commit and the savepoint; locks of students and courses; plans; enrollments with grants; events with the
    // log.
    expect(counted[1]?.filter((text) => !/^(start|begin|savepoint|release|commit)/i.test(text))).toHaveLength(5);
    expect([await countOf(one), await countOf(two)]).toEqual([101, 101]);
  });

  it('sends four statements for one enrollment of a student', async () => {
    const [student_id, { id: course_id }] = [await student(), await newCourse(api)];
    const texts = await statementsOf(api, 'enrollments_write_new', () =>
      api.send('POST', `/api/v1/students/${student_id}/enrollments`, { body: { course_id } }),
    );
    expect(texts.filter((text) => !/^(start|begin|commit)/i.test(text))).toHaveLength(4);
  });
});
