import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { accessOf } from './access.policy.js';
import type { Grant, GrantSource } from './access.policy.js';
import { grantsOf } from './enrollment.entity.js';
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

const now = new Date('2026-11-20T08:00:00.000Z');
const end = new Date('2999-01-01T00:00:00.000Z');
const grant = (ends_at: Date | null): Grant => ({
  id: null,
  source: 'manual',
  source_id: null,
  plan_id: null,
  starts_at: now,
  ends_at,
  revoked_at: null,
});

const open = (
  student_id: string,
  course_id: string,
  ends_at: Date | null = null,
  at = site,
): Promise<Enrollment | undefined> => {
  const first = grant(ends_at);
  const opening = { student_id, course_id, source: 'manual', grant: first, access: accessOf([first], now) } as const;
  return database.dataSource.transaction((tx) => enrollments.open(tx, at, opening));
};

/** Writes all grants of an enrollment and their sum. */
async function save(row: Enrollment | undefined, grants: readonly Grant[], at = now): Promise<Enrollment> {
  if (row === undefined) throw new Error('No enrollment was opened');
  const saving = { grants, access: accessOf(grants, at), source: row.source };
  return database.dataSource.transaction((tx) => enrollments.save(tx, row, saving));
}

const revoked = (row: Enrollment | undefined): readonly Grant[] =>
  row === undefined ? [] : grantsOf(row).map((one) => ({ ...one, revoked_at: end }));

it('counts each opening and each ending once for the student and the course', async () => {
  const [course, student] = [await row('courses'), await row('students')];
  const opened = await open(student, course);
  expect(opened).toMatchObject({ state: 'active', version: 1, completion_rate: 0, expires_at: null, changes_at: null });
  expect(await counts(course, student)).toEqual({ course: 1, student: 1 });
  const ended = await save(opened, revoked(opened), end);
  expect(ended).toMatchObject({ state: 'revoked', version: 2, revision: 2, expires_at: end });
  expect(grantsOf(ended)).toEqual(revoked(opened));
  expect(await save(ended, revoked(opened), end)).toMatchObject({ state: 'revoked', version: 3 });
  expect(await counts(course, student)).toEqual({ course: 0, student: 0 });
  expect(await save(ended, [...revoked(opened), { ...grant(null), starts_at: end }], end)).toMatchObject({
    id: opened?.id,
    state: 'active',
  });
  expect(await counts(course, student)).toEqual({ course: 1, student: 1 });
});

it('reads an enrollment with its grants in the order of their beginning', async () => {
  const opened = await open(await row('students'), await row('courses'), end);
  const before = { ...grant(null), source: 'order', source_id: randomUUID(), starts_at: new Date(0) } as const;
  const saved = await save(opened, [...grantsOf(opened ?? { grants: [] }), before]);
  expect(grantsOf(saved)).toEqual([
    { ...before, id: expect.any(String) },
    { ...grant(end), id: opened?.grants[0]?.id },
  ]);
});

it('counts no pending or expired enrollment and opens none in an archived course', async () => {
  const [course, student] = [await row('courses'), await row('students')];
  const over = grant(now);
  const opening = { course_id: course, source: 'import', grant: over, access: accessOf([over], end) } as const;
  await database.dataSource.transaction((tx) => enrollments.open(tx, site, { ...opening, student_id: student }));
  expect(await counts(course, student)).toEqual({ course: 0, student: 0 });
  const archived = await row('courses');
  await database.dataSource.query(`update courses set state = 'archived' where id = $1`, [archived]);
  expect(await open(student, archived)).toBeUndefined();
  expect(await counts(archived, student)).toEqual({ course: 0, student: 0 });
});

it('opens nothing for another site', async () => {
  const [course, student] = [await row('courses'), await row('students')];
  expect(await open(student, course, null, elsewhere)).toBeUndefined();
  await expect(open(await row('students', elsewhere), course)).rejects.toThrow(/foreign key/);
  expect(await counts(course, student)).toEqual({ course: 0, student: 0 });
});

it('finds enrollments that are due, and never those for life', async () => {
  const [course, student, other] = [await row('courses'), await row('students'), await row('students')];
  const due = await open(student, course, new Date('2998-01-01T00:00:00Z'));
  await open(other, course);
  const ids = async (at: string) => (await enrollments.due(new Date(at), 10)).map(({ id }) => id);
  expect(await ids('2997-12-31T23:59:59.999Z')).toEqual([]);
  expect(await ids('2998-01-01T00:00:00.000Z')).toEqual([due?.id]);
});

it('finds the standing grants of a source at a site', async () => {
  const source = { source: 'order', source_id: randomUUID() } as const;
  const opened = await open(await row('students'), await row('courses'));
  await open(await row('students'), await row('courses'));
  const saved = await save(opened, [...grantsOf(opened ?? { grants: [] }), { ...grant(null), ...source }]);
  const find = (at = site, of: { source: GrantSource; source_id: string } = source) =>
    database.dataSource.transaction((tx) => enrollments.ofSource(tx, at, of));
  expect(await find()).toEqual([{ id: opened?.id, student_id: opened?.student_id }]);
  expect(await find(elsewhere)).toEqual([]);
  expect(await find(site, { ...source, source: 'membership' })).toEqual([]);
  await save(saved, revoked(saved));
  expect(await find()).toEqual([]);
});

it('keeps one grant for each source of an enrollment', async () => {
  const opened = await open(await row('students'), await row('courses'));
  const given = { ...grant(null), source: 'order', source_id: randomUUID() } as const;
  await expect(save(opened, [given, given])).rejects.toThrow(/access_grants_source/);
});

it('raises the version, not the revision, of the enrollments of one student', async () => {
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
