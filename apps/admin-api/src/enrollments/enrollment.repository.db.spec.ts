import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import type { Enrollment } from './enrollment.entity.js';
import { EnrollmentRepository } from './enrollment.repository.js';

const [site, elsewhere] = [{ site_id: randomUUID() }, { site_id: randomUUID() }];
let database: OpenDatabase;
let enrollments: EnrollmentRepository;

beforeAll(async () => {
  database = await openDatabase();
  enrollments = new EnrollmentRepository(database.sql);
});
afterAll(() => database.close());

async function row(table: 'courses' | 'students', at = site): Promise<string> {
  const columns = table === 'courses' ? 'slug, name' : 'email, name';
  const [made] = await database.dataSource.query<{ id: string }[]>(
    `insert into ${table} (site_id, ${columns}) values ($1, $2, 'x') returning id`,
    [at.site_id, randomUUID()],
  );
  return made?.id ?? '';
}

async function counts(course: string, student: string): Promise<unknown> {
  const [found] = await database.dataSource.query<object[]>(
    `select c.enrollments_count as course, s.enrollments_count as student from courses c, students s where c.id = $1 and s.id = $2`,
    [course, student],
  );
  return found;
}

const open = (
  student_id: string,
  course_id: string,
  expires_at: Date | null = null,
  at = site,
): Promise<Enrollment | undefined> =>
  database.dataSource.transaction((tx) =>
    enrollments.open(tx, at, { student_id, course_id, expires_at, source: 'manual' }),
  );
const end = (id: string, to: 'revoked' | 'expired', at = site): Promise<Enrollment | undefined> =>
  database.dataSource.transaction((tx) => enrollments.end(tx, at, id, to));

it('opening and ending count on both sides, and only when something was done', async () => {
  const [course, student] = [await row('courses'), await row('students')];
  const opened = await open(student, course);
  expect(opened).toMatchObject({ state: 'active', version: 1, completion_rate: 0, expires_at: null });
  expect(await open(student, course)).toBeUndefined();
  expect(await counts(course, student)).toEqual({ course: 1, student: 1 });
  expect(await end(opened?.id ?? '', 'revoked')).toMatchObject({ state: 'revoked', version: 2 });
  expect(await end(opened?.id ?? '', 'revoked')).toBeUndefined();
  expect(await counts(course, student)).toEqual({ course: 0, student: 0 });
  expect(await open(student, course)).toMatchObject({ id: opened?.id, state: 'active', version: 3 });
  expect(await counts(course, student)).toEqual({ course: 1, student: 1 });
});

it('another site can neither open nor end', async () => {
  const [course, student] = [await row('courses'), await row('students')];
  expect(await open(student, course, null, elsewhere)).toBeUndefined();
  const opened = await open(student, course);
  expect(await end(opened?.id ?? '', 'revoked', elsewhere)).toBeUndefined();
  await expect(open(await row('students', elsewhere), course)).rejects.toThrow(/foreign key/);
  expect(await counts(course, student)).toEqual({ course: 1, student: 1 });
});

it('only what is due expires, and a life-long one never', async () => {
  const [course, student, other] = [await row('courses'), await row('students'), await row('students')];
  const [due, lifelong] = [await open(student, course, new Date('2999-01-01T00:00:00Z')), await open(other, course)];
  expect(await end(due?.id ?? '', 'expired')).toBeUndefined();
  expect(await end(lifelong?.id ?? '', 'expired')).toBeUndefined();
  await database.dataSource.query('update enrollments set expires_at = now() where id = $1', [due?.id]);
  expect((await enrollments.due(10)).map(({ id }) => id)).toEqual([due?.id]);
  expect(await end(due?.id ?? '', 'expired')).toMatchObject({ state: 'expired', version: 2 });
  expect(await enrollments.due(10)).toEqual([]);
  expect(await counts(course, student)).toEqual({ course: 1, student: 0 });
});

it('gives each enrollment of a student a higher version and no higher revision, and no other enrollment', async () => {
  const [student, other] = [await row('students'), await row('students')];
  const course = await row('courses');
  await open(student, course);
  await open(student, await row('courses'));
  await open(other, course);
  const touched = await database.dataSource.transaction((tx) => enrollments.touchAll(tx, site, student));
  expect(touched.map(({ student_id, version, revision }) => [student_id, version, revision])).toEqual([
    [student, 2, 1],
    [student, 2, 1],
  ]);
  expect(await database.dataSource.transaction((tx) => enrollments.touchAll(tx, elsewhere, student))).toEqual([]);
});
