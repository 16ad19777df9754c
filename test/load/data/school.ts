import type pg from 'pg';

const COURSES = 100;
/** Enrollments of each student. */
const EACH = 10;

/** Fills the school database with enrollments of linked students in published courses, every second one by a plan. */
export async function fillSchool(client: pg.Client, siteId: string, enrollments: number): Promise<void> {
  await client.query(
    `WITH course AS (
       INSERT INTO courses (site_id, slug, name, state, published_at)
       SELECT $1, 'filled-' || n, 'Course ' || n, 'published', now() FROM generate_series(1, ${COURSES}) n
       RETURNING id),
     numbered AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM course),
     plan AS (
       INSERT INTO course_plans (site_id, course_id, name, plan_type) SELECT $1, id, 'Free', 'free' FROM course
       RETURNING id, course_id),
     student AS (
       INSERT INTO students (site_id, person_id, email, name, enrollments_count)
       SELECT $1, uuidv7(), 'filled-' || n || '@elsewhere.example', 'Student ' || n, ${EACH}
         FROM generate_series(1, $2::int / ${EACH}) n
       RETURNING id),
     counted AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM student),
     enrollment AS (
       INSERT INTO enrollments (site_id, student_id, course_id, source, started_at)
       SELECT $1, counted.id, numbered.id, 'import', now() - interval '30 days'
       FROM counted CROSS JOIN generate_series(1, ${EACH}) k
       JOIN numbered ON numbered.n = (counted.n * 7 + k * 19) % ${COURSES}
       RETURNING id, course_id, started_at)
     INSERT INTO access_grants (site_id, enrollment_id, source, starts_at, plan_id)
     SELECT $1, e.id, 'import', e.started_at, CASE WHEN hashtext(e.id::text) % 2 = 0 THEN plan.id END
       FROM enrollment e JOIN plan USING (course_id)`,
    [siteId, enrollments],
  );
}

/** Deletes the rows of `fillSchool` and all that hangs on them. Returns the ids of the courses. */
export async function emptySchool(client: pg.Client, siteId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH course AS (SELECT id FROM courses WHERE site_id = $1 AND slug LIKE 'filled-%'),
     enrollment AS (SELECT id FROM enrollments WHERE site_id = $1 AND course_id IN (SELECT id FROM course)),
     access AS (DELETE FROM access_grants WHERE site_id = $1 AND enrollment_id IN (SELECT id FROM enrollment)),
     enrolled AS (DELETE FROM enrollments WHERE site_id = $1 AND id IN (SELECT id FROM enrollment)),
     plan AS (DELETE FROM course_plans WHERE site_id = $1 AND course_id IN (SELECT id FROM course)),
     student AS (DELETE FROM students WHERE site_id = $1 AND email LIKE 'filled-%@elsewhere.example')
     DELETE FROM courses WHERE site_id = $1 AND id IN (SELECT id FROM course) RETURNING id`,
    [siteId],
  );
  return rows.map(({ id }) => id);
}
