import { IMPORT_LIMITS } from '#src/imports/import.policy.js';
import { newCourse } from './new-course.js';
import { TestImports } from './test-imports.js';
import type { Json } from './test-imports.js';
import { toolCaller } from './tool-caller.js';

const { rowsOfPart } = IMPORT_LIMITS;

let imports: TestImports;
beforeAll(async () => {
  imports = await TestImports.open();
  const timezone = { timezone: 'Asia/Taipei' };
  expect((await imports.api.send('PATCH', '/api/v1/school', { body: timezone })).status).toBe(200);
});
afterAll(() => imports.close());

const start = (lines: readonly string[], more: object = {}) =>
  imports.checked(lines, { collection: 'enrollments', ...more });
const enrollmentsOf = async (course: { id: string }): Promise<Json[]> => {
  const path = `/api/v1/courses/${course.id}/enrollments?limit=100&sort=created_at`;
  return (await imports.api.send<{ data: Json[] }>('GET', path)).body.data;
};
const faultsOf = ({ faults }: Json): unknown[] =>
  (faults as Json[]).map(({ line, pointer, code, column, value }) => [line, pointer, code, column, value]);
const students = (domain: string, count: number): Promise<Json[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => imports.student({ email: `s${n}@${domain}` })));

it('previews all faulty rows, and enrolls the students of the others with the events of bulk enrollments', async () => {
  const [course, archived] = [await newCourse(imports.api), await newCourse(imports.api)];
  const elsewhere = await newCourse(imports.api, {}, imports.api.sites[1]);
  await imports.database.query(`update courses set state = 'archived' where id = $1`, [archived.id]);
  const [known, removed, ...others] = await students('one.example', 4);
  await imports.database.query(`update students set state = 'removed' where id = $1`, [removed?.['id']]);
  const body = { student_id: known?.['id'], course_id: course.id, external_id: 'seat-1' };
  expect((await imports.api.send('POST', '/api/v1/enrollments', { body })).status).toBe(201);
  const one = await start([
    'student_email,course_slug,expires_at,external_id,metadata.seat',
    `s2@one.example,${course.slug},2999-01-01,seat-2,front`,
    `S3@one.example,${course.slug},,,`,
    `unknown@one.example,${course.slug},,,`,
    's2@one.example,no-such-course,,,',
    `s2@one.example,${elsewhere.slug},,,`,
    `s1@one.example,${course.slug},,,`,
    `s2@one.example,${archived.slug},,,`,
    `s0@one.example,${course.slug},,,`,
    `s3@one.example,${course.slug},,,`,
    `,${course.slug},,,`,
    `s0@one.example,${course.slug}-x,2020-01-01,seat-1,`,
  ]);
  expect(one).toMatchObject({ state: 'previewed', preview: { rows_created: 2, rows_failed: 9 }, rows_total: 11 });
  expect(faultsOf(one)).toEqual([
    [4, '/student_email', 'not_found', 'student_email', 'unknown@one.example'],
    [5, '/course_slug', 'not_found', 'course_slug', 'no-such-course'],
    // A course of another site is as unknown as one that does not exist.
    [6, '/course_slug', 'not_found', 'course_slug', elsewhere.slug],
    [7, '/student_email', 'invalid_state', 'student_email', 's1@one.example'],
    [8, '/course_slug', 'invalid_state', 'course_slug', archived.slug],
    [9, '/student_email', 'already_exists', 'student_email', 's0@one.example'],
    [10, '/student_email', 'repeated', 'student_email', 's3@one.example'],
    [11, '/student_email', 'required', 'student_email', null],
    [12, '/course_slug', 'not_found', 'course_slug', `${course.slug}-x`],
  ]);
  expect(await enrollmentsOf(course)).toHaveLength(1);

  const done = await imports.ran(one, { skip_invalid: true });
  expect(done).toMatchObject({ state: 'completed', rows_created: 2, rows_failed: 9 });
  const enrolled = await enrollmentsOf(course);
  const of = (student: Json | undefined) => enrolled.find(({ student_id }) => student_id === student?.['id']);
  expect(of(others[0])).toMatchObject({
    state: 'active',
    source: 'import',
    // The date begins at the school.
    expires_at: '2998-12-31T16:00:00.000Z',
    external_id: 'seat-2',
    metadata: { seat: 'front' },
    grants: [expect.objectContaining({ source: 'import', source_id: null })],
  });
  expect(of(others[1])).toMatchObject({ expires_at: null, external_id: null, metadata: {} });
  const events = await imports.api.events.of([String(of(others[0])?.['id'])], 1);
  expect(events).toMatchObject([
    {
      type: 'school.enrollment.activated.v1',
      actor: { member_id: one['created_by'], request_id: one['id'] },
      data: { student_id: others[0]?.['id'], course_id: course.id, source: 'import' },
    },
  ]);
  const counted = (await imports.api.send('GET', `/api/v1/courses/${course.id}`)).body;
  expect(counted).toMatchObject({ enrollments_count: 3 });
});

it('changes the end and the data of enrollments that exist, and nothing the second time', async () => {
  const course = await newCourse(imports.api);
  const [first] = await students('two.example', 2);
  const lines = [
    'student_email,course_slug,expires_at,external_id,metadata.seat',
    `s0@two.example,${course.slug},2999-01-01T00:00:00Z,two-0,`,
    `s1@two.example,${course.slug},,two-1,back`,
  ];
  const body = { student_id: first?.['id'], course_id: course.id, metadata: { row: 'a' } };
  const { body: known } = await imports.api.send('POST', '/api/v1/enrollments', { body });
  const unknown = await start(lines, { mode: 'update_by_student_and_course' });
  expect(unknown).toMatchObject({ preview: { rows_updated: 1, rows_created: 0, rows_failed: 1 } });
  expect(faultsOf(unknown)).toEqual([[3, '/student_email', 'not_found', 'student_email', 's1@two.example']]);
  const mode = 'upsert_by_student_and_course';
  const one = await start(lines, { mode });
  expect(await imports.ran(one)).toMatchObject({ rows_created: 1, rows_updated: 1, rows_failed: 0 });
  const [changed] = await enrollmentsOf(course);
  expect(changed).toMatchObject({
    id: known['id'],
    source: 'manual',
    expires_at: '2999-01-01T00:00:00.000Z',
    external_id: 'two-0',
    metadata: { row: 'a' },
  });
  const types = await imports.api.events.of([String(known['id'])], 2);
  expect(types.map(({ type }) => type)).toEqual(['school.enrollment.activated.v1', 'school.enrollment.extended.v1']);
  const again = await start(lines, { mode });
  expect(again).toMatchObject({ preview: { rows_skipped: 2, rows_created: 0, rows_updated: 0, rows_failed: 0 } });
  expect(await imports.ran(again)).toMatchObject({ rows_skipped: 2 });
  const byId = await start(['external_id,metadata.seat', 'two-1,front', 'two-2,back'], {
    mode: 'update_by_external_id',
  });
  expect(faultsOf(byId)).toEqual([[3, '/external_id', 'not_found', 'external_id', 'two-2']]);
  expect(await imports.ran(byId, { skip_invalid: true })).toMatchObject({ rows_updated: 1 });
  const rows = await enrollmentsOf(course);
  expect(rows.map(({ metadata }) => metadata)).toEqual([{ row: 'a' }, { seat: 'front' }]);
});

it('enrolls by a plan of the course, and refuses a plan of another course', async () => {
  const [course, other] = [await newCourse(imports.api), await newCourse(imports.api)];
  await students('three.example', 1);
  const terms = { name: 'A month', plan_type: 'specific_length', access_days: 30 };
  const plan = await imports.api.send('POST', `/api/v1/courses/${course.id}/plans`, {
    body: { ...terms, price: { amount_minor: 1000, currency: 'TWD' } },
  });
  const plan_id = String(plan.body['id']);
  const header = 'student_email,course_slug,plan_id';
  const one = await start([
    header,
    `s0@three.example,${course.slug},${plan_id}`,
    `s0@three.example,${other.slug},${plan_id}`,
  ]);
  expect(faultsOf(one)).toEqual([[3, '/plan_id', 'not_found', 'plan_id', plan_id]]);
  await imports.ran(one, { skip_invalid: true });
  const [enrolled] = await enrollmentsOf(course);
  const days =
    (Date.parse(String(enrolled?.['expires_at'])) - Date.parse(String(enrolled?.['started_at']))) / 86_400_000;
  expect([enrolled?.['plan_id'], days]).toEqual([plan_id, 30]);
});

it('writes all enrollments of a part or none, and goes on at the same part after a failure', async () => {
  const course = await newCourse(imports.api);
  const count = rowsOfPart + 1;
  await imports.database.query(
    `insert into students (site_id, email, name)
     select $1, 's' || n || '@atomic.example', 'Student' from generate_series(1, $2::int) n`,
    [imports.api.sites[0].site_id, count],
  );
  const rows = Array.from({ length: count }, (_, n) => `s${n + 1}@atomic.example,${course.slug},atomic-${n + 1}`);
  const one = await start(['student_email,course_slug,external_id', ...rows]);
  await imports.run(one);
  await imports.database.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no space'; end $$;
     create trigger refuse before insert on enrollments for each row when (new.external_id = 'atomic-7')
       execute function refuse()`,
  );
  await imports.worker.turn();
  const enrolled = async (): Promise<unknown> => {
    const text = 'select count(*)::int as count from enrollments where course_id = $1';
    return (await imports.database.query<{ count: number }>(text, [course.id])).rows[0]?.count;
  };
  expect([await imports.read(one), await enrolled()]).toMatchObject([{ state: 'running', rows_done: 0 }, 0]);
  await imports.database.query('drop trigger refuse on enrollments; drop function refuse');
  await imports.database.query(`update imports set due_at = now() where id = $1`, [one['id']]);
  await imports.work();
  expect([await imports.read(one), await enrolled()]).toMatchObject([
    { state: 'completed', rows_created: count, rows_failed: 0 },
    count,
  ]);
});

it('refuses lecturers, and an import whose creator has become one, without a change', async () => {
  const course = await newCourse(imports.api);
  await students('four.example', 1);
  const lines = ['student_email,course_slug', `s0@four.example,${course.slug}`];
  const one = await start(lines);
  const member = { member_id: String(one['created_by']), roles: ['lecturer' as const] };
  const input = { collection: 'enrollments', format: 'csv', upload_id: one['upload_id'] };
  const { call } = toolCaller(imports.api);
  const caller = { scopes: ['students:read', 'students:write'], member };
  expect(await call('create_import', input, caller)).toMatchObject({ code: 'forbidden' });
  await imports.giveRoles(['lecturer']);
  await imports.database.query(`update imports set created_at = now() - interval '5 minutes' where id = $1`, [
    one['id'],
  ]);
  const done = await imports.ran(one);
  await imports.giveRoles(['owner']);
  expect(done).toMatchObject({ state: 'failed', error: 'forbidden', rows_created: 0 });
  expect(await enrollmentsOf(course)).toEqual([]);
});
