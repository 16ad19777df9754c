import { hash, randomUUID } from 'node:crypto';
import type pg from 'pg';

/** An order of one course plan by one student. */
export interface PlannedOrder {
  readonly site_id: string;
  readonly number: string;
  readonly key: string;
  readonly student_id: string;
  readonly plan_id: string;
  readonly amount_minor: number;
  readonly paid_at: string;
}

const TAKE_KEY = {
  name: 'take_key',
  text: `with lock as materialized (select pg_try_advisory_xact_lock($1::bigint) as taken)
         select lock.taken, k.answer from lock left join idempotency_keys k on k.id = $2`,
};
const ITEM = {
  name: 'item',
  text: `select id, course_id, active, access_days, access_ends_at from course_plans where site_id = $1 and id = $2`,
};
const LOCK_STUDENT = {
  name: 'lock_student',
  text: 'select id, person_id, state from students where site_id = $1 and id = $2 for no key update',
};
const KNOWN_ORDER = {
  name: 'known_order',
  text: 'select id from orders where site_id = $1 and number = $2 for no key update',
};
const INSERT_ORDER = {
  name: 'insert_order',
  text: `insert into orders (site_id, number, state, student_id, currency, subtotal_minor, discount_minor, tax_minor,
           total_minor, source, item_types, paid_at)
         values ($1, $2, 'paid', $3, 'TWD', $4, 0, 0, $4, 'storefront', '{course_plan}', $5)
         returning id, created_at`,
};
const LOCK_COURSE = {
  name: 'lock_course',
  text: `with course as materialized (
           select id, state from courses where site_id = $1 and id = $3 for no key update)
         select course.state, e.id as enrollment_id from course
         left join enrollments e on e.site_id = $1 and e.student_id = $2 and e.course_id = course.id`,
};
const ENROLL = {
  name: 'enroll',
  text: `with enrollment as (
           insert into enrollments (site_id, student_id, course_id, source, state, started_at)
           values ($1, $2, $3, 'purchase', 'active', $4) returning id),
         granted as (
           insert into access_grants (site_id, enrollment_id, source, source_id, plan_id, starts_at)
           select $1, id, 'order', $5, $6, $4 from enrollment returning id),
         student as (
           update students set enrollments_count = enrollments_count + 1 where site_id = $1 and id = $2),
         course as (
           update courses set enrollments_count = enrollments_count + 1 where site_id = $1 and id = $3)
         select enrollment.id as enrollment_id, granted.id as grant_id from enrollment cross join granted`,
};
const INSERT_LINE = {
  name: 'insert_line',
  text: `insert into order_lines (site_id, order_id, position, item_type, item_id, name, quantity, unit_amount_minor,
           amount_minor, discount_minor, tax_minor, total_minor, granted_id)
         values ($1, $2, 1, 'course_plan', $3, 'A course', 1, $4, $4, 0, 0, $4, $5)`,
};
/** Both events, their entries of the activity log and the key. */
const END = {
  name: 'end',
  text: `with logged as (
           insert into activity (site_id, id, action, object_type, object_id, client_id, via, request_id, created_at)
           select $1, id, action, object_type, object_id, 'storefront', 'command', $3, $4
           from jsonb_to_recordset($2::jsonb) as e (id uuid, action text, object_type text, object_id uuid)),
         key as (
           insert into idempotency_keys (id, site_id, request_hash, answer) values ($5, $1, $6, $7))
         insert into outbox (id, channel, subject, aggregate_id, payload, trace)
         select id, 'event', 'school.' || action || '.v1', object_id, payload::text, $8
         from jsonb_to_recordset($2::jsonb) as e (id uuid, action text, object_id uuid, payload jsonb)`,
};

/**
 * Records a paid order with the statements of admin-api, written by hand: one transaction that takes the key, locks the
 * student and the course, enrolls the student, and writes the order, its line, two events with their activity and the
 * response of the key. It validates nothing.
 */
export async function recordByHand(pool: pg.Pool, order: PlannedOrder): Promise<void> {
  const { site_id, number, key, student_id, plan_id, amount_minor, paid_at } = order;
  const client = await pool.connect();
  const one = async <Row extends pg.QueryResultRow>(statement: { name: string; text: string }, values: unknown[]) =>
    (await client.query<Row>({ ...statement, values })).rows[0];
  try {
    await client.query('begin');
    const id = sha256([site_id, 'command', 'school.order.record.v1', key]);
    await one(TAKE_KEY, [id.readBigInt64BE(0).toString(), id]);
    const plan = await one<{ course_id: string }>(ITEM, [site_id, plan_id]);
    await one(LOCK_STUDENT, [site_id, student_id]);
    await one(KNOWN_ORDER, [site_id, number]);
    const inserted = await one<{ id: string }>(INSERT_ORDER, [site_id, number, student_id, amount_minor, paid_at]);
    const [order_id, course_id] = [inserted!.id, plan!.course_id];
    await one(LOCK_COURSE, [site_id, student_id, course_id]);
    const access = await one<{ enrollment_id: string; grant_id: string }>(ENROLL, [
      site_id,
      student_id,
      course_id,
      paid_at,
      order_id,
      plan_id,
    ]);
    const { enrollment_id, grant_id } = access!;
    await one(INSERT_LINE, [site_id, order_id, plan_id, amount_minor, grant_id]);
    const money = { number, state: 'paid', currency: 'TWD', total_minor: amount_minor, refunded_minor: 0, paid_at };
    const place = { enrollment_id, site_id, external_id: null, student_id, person_id: null, course_id, plan_id };
    const access_data = { state: 'active', source: 'purchase', started_at: paid_at, first_started_at: paid_at };
    const progress = { expires_at: null, completion_rate: 0, completed_at: null };
    const [request_id, now] = [randomUUID(), new Date().toISOString()];
    const event = (action: string, object_id: string, data: object) => {
      const [object_type] = action.split('.');
      const of = { id: randomUUID(), type: `school.${action}.v1`, aggregate_id: object_id, aggregate_version: 1 };
      const actor = { member_id: null, client_id: 'storefront', via: 'command', request_id };
      return {
        id: of.id,
        action,
        object_type,
        object_id,
        payload: { epoch: 1, ...of, site_id, occurred_at: now, actor, data },
      };
    };
    const events = [
      event('order.paid', order_id, { order_id, site_id, student_id, ...money }),
      event('enrollment.activated', enrollment_id, { ...place, ...access_data, ...progress }),
    ];
    const line_items = [{ position: 1, item_type: 'course_plan', item_id: plan_id, granted_id: grant_id }];
    const answer = { order_id, number, state: 'paid', total_minor: amount_minor, refunded_minor: 0, line_items };
    const trace = { 'x-request-id': request_id };
    await one(END, [
      site_id,
      JSON.stringify(events),
      request_id,
      now,
      id,
      sha256(order),
      JSON.stringify(answer),
      JSON.stringify(trace),
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

function sha256(value: unknown): Buffer {
  return hash('sha256', JSON.stringify(value), 'buffer');
}
