import { randomUUID } from 'node:crypto';
import { rowsRead } from '@lyceum/testing';
import type { Fence } from '@lyceum/collections';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { ofOwnCourses, ofOwnStudents } from './teacher.fence.js';

/** Students of the one course of the teacher. The site has a hundred times as many, in another course. */
const OWN = 20;

const site_id = randomUUID();
const teacher = { site_id, member_id: randomUUID(), roles: ['lecturer' as const] };
let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
  const { dataSource } = database;
  const made = async (text: string, values: unknown[]): Promise<string[]> =>
    (await dataSource.query<{ id: string }[]>(`${text} returning id`, values)).map(({ id }) => id);
  const [lecturer] = await made(`insert into lecturers (site_id, slug, name, member_id) values ($1, 'l', 'L', $2)`, [
    site_id,
    teacher.member_id,
  ]);
  const courses = await made(
    `insert into courses (site_id, slug, name) select $1, 'c-' || n, 'C' from generate_series(1, 300) n`,
    [site_id],
  );
  const students = await made(
    `insert into students (site_id, email, name) select $1, n || '@example.com', 'S' from generate_series(1, $2) n`,
    [site_id, OWN * 100],
  );
  const enroll = (course: string | undefined, ids: readonly string[]): Promise<string[]> =>
    made(
      `insert into enrollments (site_id, course_id, student_id, source) select $1, $2, unnest($3::uuid[]), 'manual'`,
      [site_id, course, ids],
    );
  await enroll(courses[0], students.slice(0, OWN));
  await enroll(courses[1], students.slice(OWN));
  await dataSource.query('insert into course_lecturers values ($1, $2, $3, 1)', [site_id, courses[0], lecturer]);
  await dataSource.query('vacuum analyze');
});
afterAll(() => database.close());

it.each<[string, Fence | undefined, number]>([
  ['courses', ofOwnCourses('id')(teacher), 1],
  ['students', ofOwnStudents(teacher), OWN],
])('reads only the own %s of a teacher on a site with many', async (table, fence, own) => {
  const condition = fence?.condition.replaceAll('?', '$2') ?? '';
  const text = `select id from ${table} where site_id = $1 and ${condition} order by created_at desc, id desc limit 101`;
  const plan = await planOf(database, (sql) => sql.query({ name: undefined, text }, [site_id, fence?.value]));
  const looked = plan.filter((node) => node['Relation Name'] !== undefined).map(rowsRead);
  expect(Math.max(...looked)).toBe(own);
});

it.each<[string, object, boolean]>([
  ['no owner', { roles: ['owner'] }, false],
  ['no admin who teaches', { roles: ['admin', 'lecturer'] }, false],
  ['nothing that the service does for the site itself', {}, false],
  ['a teaching assistant', { roles: ['teaching_assistant'] }, true],
])('fences %s', (_who, caller, fenced) => {
  expect(ofOwnCourses('id')({ site_id, member_id: teacher.member_id, ...caller }) !== undefined).toBe(fenced);
});

it.each([[[]], [['student' as const]]])('hides all rows from an operator with the roles %j', (roles) => {
  expect(ofOwnStudents({ ...teacher, roles })).toEqual({ condition: 'false' });
});
