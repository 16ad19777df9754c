import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { accessOf } from './access.policy.js';
import type { Grant, GrantSource } from './access.policy.js';
import { grantsOf } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import { isLive } from './enrollment.policy.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import type { Pair } from './enrollment.repository.js';
import { ownDataOf } from './own-data.policy.js';

const [site, elsewhere] = [{ site_id: randomUUID() }, { site_id: randomUUID() }];
let database: OpenDatabase;
let enrollments: EnrollmentRepository;

beforeAll(async () => {
  database = await openDatabase();
  enrollments = new EnrollmentRepository();
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
  id: randomUUID(),
  source: 'manual',
  source_id: null,
  plan_id: null,
  starts_at: now,
  ends_at,
  revoked_at: null,
});

interface Change {
  readonly grants: readonly Grant[];
  readonly before?: Enrollment;
  readonly at?: Date;
}

const changeOf = (pair: Pair, { grants, before, at = now }: Change) => {
  const access = accessOf(grants, at);
  const live = Number(isLive(access.state)) - Number(before !== undefined && isLive(before.state));
  const { student_id, course_id } = pair;
  const id = before?.id ?? randomUUID();
  const own = ownDataOf(before);
  return { student_id, course_id, id, before, source: 'manual', own, access, live, grants, changed: grants } as const;
};

async function write(changes: readonly ReturnType<typeof changeOf>[], at = site): Promise<Enrollment[]> {
  const rows = await database.dataSource.transaction((tx) => enrollments.write(tx, at, changes));
  return changes.flatMap(({ id }) => rows.get(id) ?? []);
}

async function open(student_id: string, course_id: string, ends_at: Date | null = null, at = site) {
  const [opened] = await write([changeOf({ student_id, course_id }, { grants: [grant(ends_at)] })], at);
  if (opened === undefined) throw new Error('No enrollment was opened');
  return opened;
}

/** Writes all grants of an enrollment and their sum. */
async function save(before: Enrollment, grants: readonly Grant[], at = now): Promise<Enrollment> {
  const [saved] = await write([changeOf(before, { grants, before, at })]);
  if (saved === undefined) throw new Error('No enrollment was saved');
  return saved;
}

const lock = (pairs: readonly Pair[], at = site) =>
  database.dataSource.transaction((tx) => enrollments.lock(tx, at, pairs));

const revoked = (known: Enrollment): readonly Grant[] => grantsOf(known).map((one) => ({ ...one, revoked_at: end }));

it('counts each opening and each ending once for the student and the course', async () => {
  const [course, student] = [await row('courses'), await row('students')];
  const opened = await open(student, course);
  expect(opened).toMatchObject({ state: 'active', version: 1, completion_rate: 0, expires_at: null, changes_at: null });
  expect(await counts(course, student)).toEqual({ course: 1, student: 1 });
  const ended = await save(opened, revoked(opened), end);
  expect(ended).toMatchObject({ state: 'revoked', version: 2, revision: 2, expires_at: end });
  expect(grantsOf(ended)).toEqual(revoked(opened));
  expect(grantsOf((await lock([ended]))[0]?.row ?? { grants: [] })).toEqual(revoked(opened));
  expect(await save(ended, revoked(opened), end)).toMatchObject({ state: 'revoked', version: 3 });
  expect(await counts(course, student)).toEqual({ course: 0, student: 0 });
  expect(await save(ended, [...revoked(opened), { ...grant(null), starts_at: end }], end)).toMatchObject({
    id: opened.id,
    state: 'active',
  });
  expect(await counts(course, student)).toEqual({ course: 1, student: 1 });
});

it('reads an enrollment with its grants in the order of their beginning', async () => {
  const opened = await open(await row('students'), await row('courses'), end);
  const before = { ...grant(null), source: 'order', source_id: randomUUID(), starts_at: new Date(0) } as const;
  const saved = await save(opened, [...grantsOf(opened), before]);
  expect(grantsOf(saved)).toEqual([before, ...grantsOf(opened)]);
  const [place] = await lock([opened]);
  expect(grantsOf(place?.row ?? { grants: [] })).toEqual(grantsOf(saved));
  expect(Object.assign({}, place?.row, { grants: saved.grants })).toEqual(saved);
});

it('counts no pending or expired enrollment', async () => {
  const [course_id, student_id] = [await row('courses'), await row('students')];
  await write([changeOf({ course_id, student_id }, { grants: [grant(now)], at: end })]);
  expect(await counts(course_id, student_id)).toEqual({ course: 0, student: 0 });
});

it('writes and counts many enrollments of the same students and courses', async () => {
  const students = [await row('students'), await row('students')];
  const courses = [await row('courses'), await row('courses')];
  const pairs = students.flatMap((student_id) => courses.map((course_id) => ({ student_id, course_id })));
  const rows = await write(pairs.map((pair) => changeOf(pair, { grants: [grant(null)] })));
  expect(rows.map(({ student_id, course_id }) => ({ student_id, course_id }))).toEqual(pairs);
  expect(await counts(courses[0] ?? '', students[1] ?? '')).toEqual({ course: 2, student: 2 });
  const gone = rows.filter(({ course_id }) => course_id === courses[0]);
  await write(gone.map((before) => changeOf(before, { grants: revoked(before), before, at: end })));
  expect(await counts(courses[0] ?? '', students[1] ?? '')).toEqual({ course: 0, student: 1 });
});

it('locks courses of the site and says which pairs have no enrollment', async () => {
  const [student_id, course_id] = [await row('students'), await row('courses')];
  const [opened, foreign] = [await open(student_id, await row('courses')), await row('courses', elsewhere)];
  await database.dataSource.query(`update courses set state = 'archived' where id = $1`, [course_id]);
  const places = await lock([opened, { student_id, course_id }, { student_id, course_id: foreign }]);
  expect(places.map(({ course, row: found }) => [course, found?.id])).toEqual([
    ['draft', opened.id],
    ['archived', undefined],
    [undefined, undefined],
  ]);
});

it('writes nothing for another site', async () => {
  const [course, student] = [await row('courses'), await row('students')];
  await expect(open(student, course, null, elsewhere)).rejects.toThrow(/foreign key/);
  await expect(open(await row('students', elsewhere), course)).rejects.toThrow(/foreign key/);
  expect(await counts(course, student)).toEqual({ course: 0, student: 0 });
});

it('locks the students of enrollments that are due, and never those of enrollments for life', async () => {
  const [course, student, other] = [await row('courses'), await row('students'), await row('students')];
  await open(student, course, new Date('2998-01-01T00:00:00Z'));
  await open(other, course);
  const due = (at: string) => database.dataSource.transaction((tx) => enrollments.lockDue(tx, new Date(at), 10));
  expect(await due('2997-12-31T23:59:59.999Z')).toEqual([]);
  expect(await due('2998-01-01T00:00:00.000Z')).toEqual([{ ...site, student_id: student, course_id: course }]);
});

it('finds the standing grants of a source at a site', async () => {
  const source = { source: 'order', source_id: randomUUID() } as const;
  const opened = await open(await row('students'), await row('courses'));
  await open(await row('students'), await row('courses'));
  const saved = await save(opened, [...grantsOf(opened), { ...grant(null), ...source }]);
  const find = (at = site, of: { source: GrantSource; source_id: string; course_id?: string } = source) =>
    database.dataSource.transaction((tx) => enrollments.ofSource(tx, at, of));
  const { student_id, course_id } = opened;
  expect(await find()).toEqual([{ student_id, course_id }]);
  expect(await find(elsewhere)).toEqual([]);
  expect(await find(site, { ...source, source: 'membership' })).toEqual([]);
  expect(await find(site, { ...source, course_id })).toHaveLength(1);
  expect(await find(site, { ...source, course_id: randomUUID() })).toEqual([]);
  await save(saved, revoked(saved));
  expect(await find()).toEqual([]);
});

it('keeps one grant for each source of an enrollment', async () => {
  const opened = await open(await row('students'), await row('courses'));
  const given = { ...grant(null), source: 'order', source_id: randomUUID() } as const;
  await expect(save(opened, [given, { ...given, id: randomUUID() }])).rejects.toThrow(/access_grants_source/);
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

it('reads no students or grants of other enrollments with a plan of an empty table', async () => {
  const [course, student] = [await row('courses'), await row('students')];
  await database.dataSource.transaction(async (tx) => {
    const read = async (): Promise<number> => {
      const [found] = await tx.query<{ rows: number }[]>(
        `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
         where relname in ('students', 'access_grants')`,
      );
      return found?.rows ?? 0;
    };
    await tx.query(`set local plan_cache_mode = 'force_generic_plan'`);
    await enrollments.lock(tx, site, [{ student_id: student, course_id: course }]);
    await tx.query(
      `with other as (
         insert into students (site_id, email, name) select $1, gen_random_uuid(), 'x' from generate_series(1, 500)
         returning id)
       insert into enrollments (site_id, student_id, course_id, source, state, started_at)
       select $1, id, $2, 'manual', 'active', now() from other`,
      [site.site_id, course],
    );
    const before = await read();
    await enrollments.lock(tx, site, [{ student_id: student, course_id: course }]);
    expect((await read()) - before).toBe(0);
  });
});
