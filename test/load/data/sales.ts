import type pg from 'pg';

const STUDENTS = 2_000;
const COURSES = 100;
const PLACES = 20;

/** Rows of a year, spread over its quarters of an hour. */
export async function fillSales(client: pg.Client, siteId: string, orders: number): Promise<void> {
  const spread = (n: string): string => `now() - interval '365 days' * (${n}::float8 / $2::int)`;
  const students = `student AS (
    SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM students WHERE site_id = $1 AND email LIKE 'sold-%')`;
  await client.query(
    `INSERT INTO students (site_id, email, name)
     SELECT $1, 'sold-' || n || '@elsewhere.example', 'Student ' || n FROM generate_series(1, ${STUDENTS}) n`,
    [siteId],
  );
  await client.query(
    `WITH ${students}
     INSERT INTO orders (site_id, number, state, student_id, currency, subtotal_minor, discount_minor, tax_minor,
                         total_minor, source, item_types, paid_at)
     SELECT $1, 'sold-' || k, 'paid', student.id, CASE WHEN k % 10 = 0 THEN 'USD' ELSE 'TWD' END, 150000, 0, 0, 150000,
            'load', '{course_plan}', ${spread('k')}
       FROM generate_series(1, $2::int) k JOIN student ON student.n = k % ${STUDENTS}`,
    [siteId, orders],
  );
  await client.query(
    `INSERT INTO order_refunds (site_id, id, order_id, amount_minor, line_items, refunded_at)
     SELECT site_id, uuidv7(), id, 1000, '[]', least(paid_at + interval '2 days', now())
       FROM orders WHERE site_id = $1 AND source = 'load' AND right(number, 1) = '7'`,
    [siteId],
  );
  await client.query(
    `WITH ${students}, course AS (
       INSERT INTO courses (site_id, slug, name) SELECT $1, 'sold-' || n, 'Course ' || n FROM generate_series(1, ${COURSES}) n
       RETURNING id),
     pair AS (SELECT student.id AS student_id, course.id AS course_id, row_number() OVER () AS k
                FROM student CROSS JOIN course)
     INSERT INTO enrollments (site_id, student_id, course_id, source, created_at, completed_at)
     SELECT $1, student_id, course_id, 'import', ${spread('k')}, CASE WHEN k % 3 = 0 THEN now() END
       FROM pair WHERE k <= $2::int`,
    [siteId, orders],
  );
  await client.query(
    `WITH ${students}, plan AS (
       INSERT INTO membership_plans (site_id, slug, name, plan_type) VALUES ($1, 'sold', 'Plan', 'recurring')
       RETURNING id),
     price AS (
       INSERT INTO membership_plan_prices (site_id, plan_id, billing_interval, price_amount_minor, price_currency, position)
       SELECT $1, id, 'month', 30000, 'TWD', 1 FROM plan RETURNING id, plan_id)
     SELECT 1 FROM price`,
    [siteId],
  );
  // Each statement sees the prices of the earlier one: a trigger copies them.
  await client.query(
    `WITH ${students}
     INSERT INTO subscriptions (site_id, student_id, plan_id, price_id, plan_type, billing_interval, state, started_at,
                                current_period_start, current_period_end, ended_at)
     SELECT $1, student.id, p.plan_id, p.id, 'recurring', 'month', CASE WHEN k % 3 = 0 THEN 'canceled' ELSE 'active' END,
            at, at, at + interval '10 years', CASE WHEN k % 3 = 0 THEN least(at + interval '90 days', now()) END
       FROM generate_series(1, $2::int / 10) k
       JOIN student ON student.n = k % ${STUDENTS}
       JOIN membership_plans m ON m.site_id = $1 AND m.slug = 'sold'
       JOIN membership_plan_prices p ON p.site_id = $1 AND p.plan_id = m.id
      CROSS JOIN LATERAL (SELECT ${spread('k * 10')} AS at) made`,
    [siteId, orders],
  );
  await client.query(
    `WITH ${students}, event AS (
       INSERT INTO events (site_id, slug, name, state, hosting_type, starts_at, ends_at, timezone)
       SELECT $1, 'sold-' || n, 'Event ' || n, 'ended', 'zoom', at, at + interval '1 hour', 'UTC'
         FROM generate_series(1, greatest($2::int / 1000, 1)) n
        CROSS JOIN LATERAL (SELECT ${spread('n * 1000')} AS at) made
       RETURNING id)
     INSERT INTO event_registrations (site_id, event_id, student_id, state, checked_in_at)
     SELECT $1, event.id, student.id, 'checked_in', now() FROM event JOIN student ON student.n < ${PLACES}`,
    [siteId, orders],
  );
  await client.query('ANALYZE orders, order_refunds, enrollments, subscriptions, events, event_registrations');
}
