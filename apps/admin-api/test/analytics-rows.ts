import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Rows of a site, by default one of its own, written without services: the triggers alone see them. */
export class AnalyticsRows {
  readonly courses: string[] = [];
  readonly prices: { plan_id: string; id: string }[] = [];
  readonly enrollments: string[] = [];
  readonly subscriptions: string[] = [];
  readonly orders: { id: string; left: number }[] = [];
  readonly events: string[] = [];
  readonly registrations: string[] = [];

  private constructor(
    private readonly database: pg.Client,
    readonly site_id: string,
  ) {}

  static async open(database: pg.Client, site_id: string = randomUUID()): Promise<AnalyticsRows> {
    const rows = new AnalyticsRows(database, site_id);
    for (let n = 0; n < 2; n += 1) {
      rows.courses.push(await rows.#insert('courses', { slug: `course-${n}`, name: 'Course' }));
    }
    return rows;
  }

  async plan(interval: string, interval_count: number, amount: number, currency: string, plan_type = 'recurring') {
    const plan_id = await this.#insert('membership_plans', { slug: randomUUID(), name: 'Plan', plan_type });
    const billing = plan_type === 'recurring' ? { billing_interval: interval, interval_count } : {};
    const price = { plan_id, ...billing, price_amount_minor: amount, price_currency: currency, position: 1 };
    this.prices.push({ plan_id, id: await this.#insert('membership_plan_prices', price) });
  }

  async order(at: Date | null, currency: string, total: number): Promise<void> {
    const id = await this.#insert('orders', {
      number: randomUUID(),
      state: at === null ? 'pending' : 'paid',
      student_id: await this.student(),
      currency,
      subtotal_minor: total,
      discount_minor: 0,
      tax_minor: 0,
      total_minor: total,
      source: 'test',
      item_types: '{ticket}',
      paid_at: at,
    });
    this.orders.push({ id, left: total });
  }

  pay(index: number, at: Date): Promise<void> {
    const { id } = this.orders[index]!;
    return this.#run(`update orders set state = 'paid', paid_at = $3 where id = $2 and paid_at is null`, [id, at]);
  }

  /** Refunds a part of a paid order, or all that is left. */
  async refund(index: number, part: number, at: Date): Promise<void> {
    const order = this.orders[index]!;
    const amount = Math.floor(order.left * part);
    order.left -= amount;
    const refund = { id: randomUUID(), order_id: order.id, amount_minor: amount, line_items: '[]', refunded_at: at };
    await this.#insert('order_refunds', refund);
  }

  async enroll(course: number, at: Date): Promise<void> {
    const row = { student_id: await this.student(), course_id: this.courses[course], source: 'manual', created_at: at };
    this.enrollments.push(await this.#insert('enrollments', row));
  }

  async watch(index: number, at: Date): Promise<void> {
    await this.#run(
      `insert into progress (site_id, enrollment_id, student_id, course_id, lecture_id, position_seconds, watched_at)
       select site_id, id, student_id, course_id, $3, 1, $4 from enrollments where site_id = $1 and id = $2`,
      [this.enrollments[index], randomUUID(), at],
    );
  }

  complete(index: number, at: Date | null): Promise<void> {
    return this.#run('update enrollments set completed_at = $3 where site_id = $1 and id = $2', [
      this.enrollments[index],
      at,
    ]);
  }

  async subscribe(price: number, from: Date, trialEnds: Date | null, periodEnds: Date): Promise<void> {
    const { plan_id, id: price_id } = this.prices[price]!;
    const id = randomUUID();
    await this.#run(
      `insert into subscriptions (site_id, id, student_id, plan_id, price_id, plan_type, billing_interval,
         interval_count, started_at, trial_ends_at, current_period_start, current_period_end)
       select $1, $2, $3, p.id, r.id, p.plan_type, r.billing_interval, r.interval_count, $6, $7, $6, $8
       from membership_plans p join membership_plan_prices r on r.plan_id = p.id where p.id = $4 and r.id = $5`,
      [id, await this.student(), plan_id, price_id, from, trialEnds, periodEnds],
    );
    this.subscriptions.push(id);
  }

  renew(index: number, periodEnds: Date): Promise<void> {
    return this.#run('update subscriptions set current_period_end = $3 where site_id = $1 and id = $2', [
      this.subscriptions[index],
      periodEnds,
    ]);
  }

  end(index: number, at: Date): Promise<void> {
    return this.#run(`update subscriptions set state = 'canceled', ended_at = $3 where site_id = $1 and id = $2`, [
      this.subscriptions[index],
      at,
    ]);
  }

  /** Doubles the price that subscriptions name. */
  changePrice(index: number): Promise<void> {
    return this.#run(
      'update membership_plan_prices set price_amount_minor = price_amount_minor * 2 where site_id = $1 and id = $2',
      [this.prices[index]!.id],
    );
  }

  async event(at: Date, state: string): Promise<void> {
    const times = { starts_at: at, ends_at: new Date(at.getTime() + 3_600_000), timezone: 'UTC' };
    const canceled_at = state === 'canceled' ? at : null;
    this.events.push(
      await this.#insert('events', {
        slug: randomUUID(),
        name: 'Event',
        state,
        hosting_type: 'zoom',
        canceled_at,
        ...times,
      }),
    );
  }

  move(index: number, at: Date): Promise<void> {
    return this.#run(
      `update events set starts_at = $3, ends_at = $3::timestamptz + interval '1 hour' where site_id = $1 and id = $2`,
      [this.events[index], at],
    );
  }

  cancel(index: number, at: Date): Promise<void> {
    return this.#run(`update events set state = 'canceled', canceled_at = $3 where site_id = $1 and id = $2`, [
      this.events[index],
      at,
    ]);
  }

  async register(event: number, state: string): Promise<void> {
    const row = { event_id: this.events[event], student_id: await this.student(), state: 'registered' };
    this.registrations.push(await this.#insert('event_registrations', row));
    await this.attend(this.registrations.length - 1, state);
  }

  attend(index: number, state: string): Promise<void> {
    return this.#run(
      `update event_registrations set state = $3, checked_in_at = case when $3 = 'checked_in' then now() end,
         canceled_at = case when $3 = 'canceled' then now() end
       where site_id = $1 and id = $2`,
      [this.registrations[index], state],
    );
  }

  student(): Promise<string> {
    return this.#insert('students', { email: `${randomUUID()}@example.com`, name: 'Student' });
  }

  async rows<Row>(table: string): Promise<readonly Row[]> {
    return (await this.database.query(`select * from ${table} where site_id = $1`, [this.site_id])).rows as Row[];
  }

  async #insert(table: string, row: Readonly<Record<string, unknown>>): Promise<string> {
    const [names, values] = [Object.keys(row), Object.values(row)];
    const places = values.map((_, index) => `$${index + 2}`);
    const { rows } = await this.database.query<{ id: string }>(
      `insert into ${table} (site_id, ${names.join(', ')}) values ($1, ${places.join(', ')}) returning id`,
      [this.site_id, ...values],
    );
    return rows[0]!.id;
  }

  async #run(text: string, values: readonly unknown[]): Promise<void> {
    const numbered = text.includes('$1') ? text : text.replace('where', 'where site_id = $1 and');
    await this.database.query(numbered, [this.site_id, ...values]);
  }
}
