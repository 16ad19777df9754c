import { onDatabase } from './database.ts';

/** Courses with a plan each: more than requests at one time, so that these seldom wait for one course. */
const COURSES = 200;

export interface OrderGoods {
  readonly plan_ids: readonly string[];
  readonly student_ids: readonly string[];
}

/** Inserts courses with plans that are for sale, and students without any. */
export async function fillOrderGoods(databaseUrl: string, siteId: string, students: number): Promise<OrderGoods> {
  return onDatabase(databaseUrl, async (client) => {
    const plans = await client.query<{ id: string }>(
      `WITH course AS (
         INSERT INTO courses (site_id, slug, name, state, published_at)
         SELECT $1, 'sold-' || n, 'Course ' || n, 'published', now() FROM generate_series(1, ${COURSES}) n RETURNING id)
       INSERT INTO course_plans (site_id, course_id, name, plan_type, price_amount_minor, price_currency)
       SELECT $1, id, 'Forever', 'one_time_purchase', 150000, 'TWD' FROM course RETURNING id`,
      [siteId],
    );
    const made = await client.query<{ id: string }>(
      `INSERT INTO students (site_id, email, name)
       SELECT $1, 'buyer-' || n || '@elsewhere.example', 'Student ' || n FROM generate_series(1, $2::int) n RETURNING id`,
      [siteId, students],
    );
    await client.query('VACUUM (ANALYZE) courses, course_plans, students');
    return { plan_ids: plans.rows.map(({ id }) => id), student_ids: made.rows.map(({ id }) => id) };
  });
}
