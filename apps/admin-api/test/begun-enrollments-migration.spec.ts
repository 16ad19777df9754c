import { randomUUID } from 'node:crypto';
import { MigratedDatabase } from '@lyceum/testing';
import { BegunEnrollments1764000297000 } from '#src/migrations/1764000297000-begun-enrollments.js';
import { SCHOOL_MIGRATIONS } from './open-database.js';

const SITE = randomUUID();
let database: MigratedDatabase;
let history: MigratedDatabase['history'];

beforeAll(async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
  ({ history } = database);
});
afterAll(() => database?.close());

it('marks the enrollments that have progress from before, and those of a first progress', async () => {
  await history.before(BegunEnrollments1764000297000);
  await database.query(
    `with course as (insert into courses (site_id, slug, name) values ($1, 'c', 'C') returning id),
     student as (
       insert into students (site_id, email, name) select $1, n || '@example.com', n from unnest(array['a', 'b']) n
       returning id, name)
     insert into enrollments (site_id, student_id, course_id, source, external_id)
     select $1, student.id, course.id, 'manual', student.name from course, student`,
    [SITE],
  );
  const watch = (external_id: string): Promise<unknown> =>
    database.query(
      `insert into progress (site_id, enrollment_id, student_id, course_id, lecture_id, position_seconds, watched_at)
       select site_id, id, student_id, course_id, uuidv7(), 0, now() from enrollments where external_id = $1`,
      [external_id],
    );
  const begun = (): Promise<unknown> =>
    database.query('select external_id, has_begun, version from enrollments order by external_id');
  await watch('a');
  await history.up(BegunEnrollments1764000297000);
  expect(await begun()).toEqual([
    { external_id: 'a', has_begun: true, version: 1 },
    { external_id: 'b', has_begun: false, version: 1 },
  ]);
  await watch('b');
  expect(await begun()).toMatchObject([{ has_begun: true }, { has_begun: true, version: 1 }]);
  await history.down(BegunEnrollments1764000297000);
});
