import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { publishedCourse, toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const READ = { scopes: ['students:read'] };
const WRITE = { scopes: ['students:write'] };

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

/** Returns the address of a student of the site. */
async function knownStudent(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await api.send('POST', '/api/v1/students', { body: { email, name: 'x' } });
  return email;
}

const results = (made: unknown) => (made as { results: { status: number; id: string; errors: unknown[] }[] }).results;
const addresses = (count: number) => Array.from({ length: count }, () => `${randomUUID()}@example.com`);
const isStudent = async (email: string) =>
  (await api.send<{ data: unknown[] }>('GET', `/api/v1/students?email=${email}`)).body.data.length > 0;

it('enrolls a class by address and id, adds unknown students, and names the errors', async () => {
  const { id, slug } = await publishedCourse(api);
  const plan = await api.send('POST', `/api/v1/courses/${id}/plans`, { body: { name: 'x', plan_type: 'free' } });
  const [known, email] = [await knownStudent(), `${randomUUID()}@example.com`];
  const students = [
    { email, name: 'Mei' },
    { email: known.toUpperCase() },
    { email },
    { student_id: randomUUID() },
    {},
  ];
  const args = { students, course_slug: slug, plan_id: plan.body['id'], idempotency_key: randomUUID() };
  const caller = { ...WRITE, person_id: randomUUID() };
  const made = await call('enroll_students', args, caller);
  expect(made).toMatchObject({ all_succeeded: false, dry_run: false, course: { id, slug } });
  expect(results(made).map(({ status, errors }) => [status, ...errors])).toMatchObject([
    [201],
    [201],
    [200],
    [404, { pointer: '/students/3' }],
    [422, { pointer: '/students/4/email' }],
  ]);
  expect(await call('enroll_students', args, caller)).toEqual(made);
  const { items } = await call<Items>('list_students', { email }, READ);
  expect(items).toMatchObject([{ name: 'Mei', enrollments_count: 1 }]);
  expect((await api.events.of([String(items[0]?.['id'])], 1)).map(({ type }) => type)).toEqual([
    'school.student.created.v1',
  ]);
  const [first] = results(made);
  expect((await api.send('GET', `/api/v1/enrollments/${first?.id ?? ''}`)).body).toMatchObject({
    plan_id: plan.body['id'],
    student_id: items[0]?.['id'],
  });
});

it('adds and enrolls none in a dry run, and none of an atomic call with an error', async () => {
  const { id } = await publishedCourse(api);
  const email = `${randomUUID()}@example.com`;
  const dry = await call('enroll_students', { students: [{ email }], course_id: id, dry_run: true }, WRITE);
  expect([dry['dry_run'], results(dry)]).toMatchObject([true, [{ status: 201, id: null }]]);
  const students = [{ email }, { student_id: randomUUID() }];
  const atomic = await call('enroll_students', { students, course_id: id, atomic: true }, WRITE);
  expect(results(atomic).map(({ status }) => status)).toEqual([424, 404]);
  expect((await api.send<{ data: unknown[] }>('GET', `/api/v1/students?email=${email}`)).body.data).toEqual([]);
});

it('adds no student whose enrollment is refused, and keeps the students whom it knows', async () => {
  const [{ id }, other] = [await publishedCourse(api), await publishedCourse(api)];
  const plan = await api.send('POST', `/api/v1/courses/${other.id}/plans`, {
    body: { name: 'x', plan_type: 'free' },
  });
  const [known, ...emails] = [await knownStudent(), ...addresses(3)];
  const students = [known, ...emails].map((email) => ({ email }));
  const refused = await call('enroll_students', { students, course_id: id, plan_id: plan.body['id'] }, WRITE);
  expect(results(refused)).toMatchObject(
    students.map((_one, index) => ({ index, status: 422, id: null, errors: [{ code: 'not_found' }] })),
  );
  expect(await Promise.all([known, ...emails].map(isStudent))).toEqual([true, false, false, false]);
});

it('enrolls the others when the enrollments of added students are refused', async () => {
  const { id } = await publishedCourse(api);
  const [known, key] = [await knownStudent(), randomUUID()];
  const [first = '', again = '', taken = '', twice = ''] = addresses(4);
  const students = [
    { email: first, external_id: key },
    { email: taken, external_id: key },
    { email: known, external_id: key },
    {},
    { email: twice, external_id: key },
    { email: again },
    { email: twice },
  ];
  const made = await call('enroll_students', { students, course_id: id }, WRITE);
  expect(results(made).map(({ status }) => status)).toEqual([201, 409, 409, 422, 409, 201, 201]);
  expect(results(made)[1]?.errors).toMatchObject([{ pointer: '/students/1/external_id', code: 'already_exists' }]);
  const all = [first, taken, known, twice, again];
  expect(await Promise.all(all.map(isStudent))).toEqual([true, false, true, true, true]);
  const added = await api.events.matching(
    ({ type, data }) => type === 'school.student.created.v1' && all.includes(String(data['email'])),
    4,
  );
  expect(added.map(({ data }) => String(data['email'])).toSorted()).toEqual([first, known, twice, again].toSorted());
});

it('links added students to the people whom auth has announced', async () => {
  const { id } = await publishedCourse(api);
  const [person, member, email] = [randomUUID(), randomUUID(), `${randomUUID()}@example.com`];
  await withDatabase(api.databaseUrl, (client) =>
    client.query(
      `insert into members
         (site_id, person_id, id, email, name, state, roles, joined_at, source_epoch, source_version)
       values ($1, $2, $3, $4, 'Mei Lin', 'removed', '{}', now(), 1, 1)`,
      [api.sites[0].site_id, person, member, email],
    ),
  );
  await call('enroll_students', { students: [{ email }], course_id: id }, WRITE);
  const { body } = await api.send<{ data: object[] }>('GET', `/api/v1/students?email=${email}`);
  expect(body.data).toMatchObject([{ member_id: member, name: email.split('@')[0] }]);
});
