import type pg from 'pg';
import { count, onDatabase } from './database.ts';

const COURSES = 500;
/** Enrollments and notifications of each person. */
const EACH = 10;

/**
 * Fills the learner database with people of the site, ten enrollments and ten notifications each. It can be
 * called again with more people. Rows are
 * written in the order of their time, like events, so those of one person are scattered over the table.
 */
export async function fillLearner(
  databaseUrl: string,
  siteId: string,
  people: number,
): Promise<Record<string, number>> {
  return onDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await fillPeople(client, siteId, people);
    await fillEnrollments(client, siteId);
    await fillNotifications(client, siteId);
    await client.query('COMMIT');
    await client.query('VACUUM (ANALYZE)');
    return {
      people: await count(client, 'people'),
      enrollments: await count(client, 'enrollments'),
      notifications: await count(client, 'notifications'),
    };
  });
}

async function fillPeople(client: pg.Client, siteId: string, people: number): Promise<void> {
  await client.query(
    `WITH made AS (
       INSERT INTO people (person_id, version, email, name, picture, locale, state)
       SELECT uuidv7(), 1, 'person-' || n || '@elsewhere.example', 'Person ' || n, NULL, 'en', 'active'
         FROM generate_series(1, $2 - (SELECT count(*) FROM memberships WHERE site_id = $1)) n
       RETURNING person_id)
     INSERT INTO memberships (person_id, site_id, version, roles, joined_at)
     SELECT person_id, $1, 1, '{student}', now() FROM made`,
    [siteId, people],
  );
  await client.query(
    `INSERT INTO courses (course_id, site_id, version, slug, name, image_url, state)
     SELECT uuidv7(), $1, 1, 'course-' || n, 'Course "' || n || '": from harbour to harbour', NULL, 'published'
       FROM generate_series(1, ${COURSES}) n
      WHERE NOT EXISTS (SELECT FROM courses WHERE site_id = $1 AND slug = 'course-1')`,
    [siteId],
  );
  await client.query(
    `CREATE TEMPORARY TABLE learner ON COMMIT DROP AS
     SELECT person_id, row_number() OVER (ORDER BY person_id) AS n FROM memberships m
      WHERE site_id = $1
        AND NOT EXISTS (SELECT FROM enrollments e WHERE e.site_id = m.site_id AND e.person_id = m.person_id)`,
    [siteId],
  );
  await client.query(
    `CREATE TEMPORARY TABLE lesson ON COMMIT DROP AS
     SELECT course_id, row_number() OVER (ORDER BY course_id) - 1 AS n FROM courses WHERE site_id = $1`,
    [siteId],
  );
}

/** Two of five enrollments end some day; a third has progress. */
async function fillEnrollments(client: pg.Client, siteId: string): Promise<void> {
  await client.query(
    `INSERT INTO enrollments (enrollment_id, site_id, person_id, course_id, version, state, started_at, expires_at,
                             completion_rate, announced_at)
     SELECT uuidv7(), $1, p.person_id, c.course_id, 1, 'active',
            date_trunc('second', now()) - make_interval(days => ${EACH} - k, secs => (p.n % 86400)),
            CASE WHEN (p.n + k) % 5 < 2 THEN date_trunc('day', now()) + make_interval(days => 30 + k) END,
            0, now()
       FROM generate_series(1, ${EACH}) k CROSS JOIN learner p
       JOIN lesson c ON c.n = (p.n * 7 + k * 19) % ${COURSES}
      ORDER BY k, p.n`,
    [siteId],
  );
  await client.query(
    `INSERT INTO playbacks (site_id, person_id, course_id, lecture_id, title, position_seconds, watched_at)
     SELECT site_id, person_id, course_id, uuidv7(), 'A lecture', (random() * 3600)::int, started_at + interval '1 hour'
       FROM enrollments JOIN learner USING (person_id)
      WHERE site_id = $1 AND hashtext(enrollment_id::text) % 3 = 0
      ORDER BY started_at`,
    [siteId],
  );
}

/** The older half of each person's notifications has been read. */
async function fillNotifications(client: pg.Client, siteId: string): Promise<void> {
  await client.query(
    `INSERT INTO notifications (site_id, person_id, occasion, kind, parameters, path, subject_id, created_at, read_at)
     SELECT $1, p.person_id, 'bench:' || k, 'course_enrolled', jsonb_build_object('course', 'Course ' || k), '/courses/' || k,
            NULL, date_trunc('second', now()) - make_interval(days => ${EACH} - k, secs => (p.n % 86400)),
            CASE WHEN k <= ${EACH / 2} THEN now() END
       FROM generate_series(1, ${EACH}) k CROSS JOIN learner p
      ORDER BY k, p.n`,
    [siteId],
  );
  await client.query(
    `INSERT INTO inbox_counts (site_id, person_id, unread)
     SELECT site_id, person_id, count(*) FROM notifications JOIN learner USING (person_id)
      WHERE site_id = $1 AND read_at IS NULL
      GROUP BY site_id, person_id`,
    [siteId],
  );
}
