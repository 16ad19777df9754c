import { onDatabase } from './database.ts';

/** Orders of each student, at every size of the database. */
const EACH = 50;
/** One of so many orders is of a rare kind: a filter finds few of many, and 10,000 orders have more than a page. */
const RARE = 400;

/** Inserts orders in the order of their time, with their lines, students and refunds. */
export async function fillOrders(databaseUrl: string, siteId: string, orders: number): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO students (site_id, email, name)
       SELECT $1, 'bought-' || n || '@elsewhere.example', 'Student ' || n
         FROM generate_series(0, ceil($2::numeric / ${EACH})::int - 1) n`,
      [siteId, orders],
    );
    await client.query(
      `WITH student AS (
         SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM students
          WHERE site_id = $1 AND email LIKE 'bought-%'),
       numbered AS (
         SELECT k, now() - make_interval(secs => 30 * ($2::int - k)) AS at, CASE k % 10
                  WHEN 0 THEN 'pending' WHEN 1 THEN 'failed' WHEN 2 THEN 'refunded' ELSE 'paid' END AS state
           FROM generate_series(1, $2::int) k)
       INSERT INTO orders (site_id, number, state, student_id, currency, subtotal_minor, discount_minor, tax_minor,
                           total_minor, refunded_minor, source, item_types, paid_at, refunded_at, created_at, updated_at)
       SELECT $1, 'filled-' || k, numbered.state, student.id, CASE WHEN k % 7 = 0 THEN 'USD' ELSE 'TWD' END,
              150000, 0, 0, 150000, CASE WHEN numbered.state = 'refunded' THEN 150000 ELSE 0 END,
              CASE WHEN k % ${RARE} = 1 THEN 'fair' WHEN k % 20 = 0 THEN 'import' ELSE 'checkout' END,
              ARRAY[CASE WHEN k % ${RARE} = 2 THEN 'consulting_sessions' WHEN k % 3 = 0 THEN 'ticket'
                    ELSE 'course_plan' END],
              CASE WHEN numbered.state IN ('paid', 'refunded') THEN at END,
              CASE WHEN numbered.state = 'refunded' THEN at END, at, at
         FROM numbered
         -- With \`k\` alone, one student has all rare orders of a small database.
         JOIN student ON student.n = (k + k / ${RARE}) % ceil($2::numeric / ${EACH})::int
        ORDER BY k`,
      [siteId, orders],
    );
    await client.query(
      `INSERT INTO order_lines (site_id, order_id, position, item_type, item_id, name, quantity, unit_amount_minor,
                                amount_minor, discount_minor, tax_minor, total_minor, granted_id)
       SELECT site_id, id, 1, item_types[1], uuidv7(), 'An item', 1, 150000, 150000, 0, 0, 150000,
              CASE WHEN paid_at IS NOT NULL THEN uuidv7() END
         FROM orders WHERE site_id = $1`,
      [siteId],
    );
    await client.query(
      `INSERT INTO order_refunds (site_id, id, order_id, amount_minor, line_items, refunded_at)
       SELECT site_id, uuidv7(), id, refunded_minor, '[]', refunded_at
         FROM orders WHERE site_id = $1 AND state = 'refunded'`,
      [siteId],
    );
    await client.query('VACUUM (ANALYZE) students, orders, order_lines, order_refunds');
  });
}

/** The id, the number and the student of the newest paid order of a site. */
export async function newestPaid(databaseUrl: string, siteId: string) {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; number: string; student_id: string; paid_at: Date }>(
      `SELECT id, number, student_id, paid_at FROM orders WHERE site_id = $1 AND state = 'paid'
        ORDER BY created_at DESC LIMIT 1`,
      [siteId],
    );
    if (rows[0] === undefined) throw new Error('The site has no paid order');
    return rows[0];
  });
}
