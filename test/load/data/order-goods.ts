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

/**
 * Inserts paid orders of other students, so that a plan has statistics. In an empty table PostgreSQL may choose an
 * index that leads to all rows of the site, and keeps it until the table is analyzed.
 */
export async function fillFormerOrders(databaseUrl: string, siteId: string, orders: number): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `WITH student AS MATERIALIZED (
         SELECT uuidv7() AS id, uuidv7() AS order_id, uuidv7() AS enrollment_id, uuidv7() AS grant_id, n
           FROM generate_series(1, $2::int) n),
       plan AS (SELECT id, course_id, row_number() OVER (ORDER BY id) AS n FROM course_plans WHERE site_id = $1),
       sold AS MATERIALIZED (
         SELECT student.*, plan.id AS plan_id, plan.course_id
           FROM student JOIN plan ON plan.n = student.n % (SELECT count(*) FROM plan) + 1),
       made AS (
         INSERT INTO students (site_id, id, email, name, enrollments_count)
         SELECT $1, id, 'former-' || n || '@elsewhere.example', 'Student ' || n, 1 FROM sold),
       ordered AS (
         INSERT INTO orders (site_id, id, number, state, student_id, currency, subtotal_minor, discount_minor, tax_minor,
                             total_minor, source, item_types, paid_at)
         SELECT $1, order_id, 'former-' || n, 'paid', id, 'TWD', 150000, 0, 0, 150000, 'storefront', '{course_plan}', now()
           FROM sold),
       enrolled AS (
         INSERT INTO enrollments (site_id, id, student_id, course_id, source, state, started_at)
         SELECT $1, enrollment_id, id, course_id, 'purchase', 'active', now() FROM sold),
       granted AS (
         INSERT INTO access_grants (site_id, id, enrollment_id, source, source_id, plan_id, starts_at)
         SELECT $1, grant_id, enrollment_id, 'order', order_id, plan_id, now() FROM sold)
       INSERT INTO order_lines (site_id, order_id, position, item_type, item_id, name, quantity, unit_amount_minor,
                                amount_minor, discount_minor, tax_minor, total_minor, granted_id)
       SELECT $1, order_id, 1, 'course_plan', plan_id, 'A course', 1, 150000, 150000, 0, 0, 150000, grant_id FROM sold`,
      [siteId, orders],
    );
    await client.query('VACUUM (ANALYZE) students, orders, order_lines, enrollments, access_grants');
  });
}
