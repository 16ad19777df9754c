import { randomUUID } from 'node:crypto';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { SubscriptionService } from '#src/subscriptions/subscription.service.js';
import { SubscriptionUpkeep } from '#src/subscriptions/subscription.upkeep.js';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';
import { newMembershipPlan } from './new-membership-plan.js';

const DAY_MS = 86_400_000;
export const MONTHLY = {
  plan_type: 'recurring',
  prices: [{ interval: 'month', price: { amount_minor: 100, currency: 'TWD' } }],
};

export type Shown = Record<string, unknown> & { readonly id: string; readonly current_period_end: string };

interface Offer {
  readonly price_id: string;
  readonly student_id: string;
}

interface Sold {
  readonly id: string;
  readonly order_id: string;
}

export const after = (instant: string, days: number): Date => new Date(Date.parse(instant) + days * DAY_MS);

/** Subscriptions of a running service: by the API, by orders and by the clock. */
export class TestSubscriptions {
  readonly subscriptions: SubscriptionService;
  readonly upkeep: SubscriptionUpkeep;

  constructor(private readonly api: TestApi) {
    this.subscriptions = api.service.app.get(SubscriptionService, { strict: false });
    this.upkeep = api.service.app.get(SubscriptionUpkeep, { strict: false });
  }

  within<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.api.service.app.get(Outbox, { strict: false }).transaction(work);
  }

  path({ id }: Pick<Shown, 'id'>, action = ''): string {
    return `/api/v1/subscriptions/${id}${action}`;
  }

  async read(of: Pick<Shown, 'id'>): Promise<Shown> {
    return (await this.api.send<Shown>('GET', this.path(of))).body;
  }

  async newStudent(): Promise<string> {
    const { body } = await this.api.send('POST', '/api/v1/students', {
      body: { email: `${randomUUID()}@example.com` },
    });
    return String(body['id']);
  }

  /** A plan with one course by default, and a student who may subscribe to it. */
  async offer(body: object = {}, courses = 1) {
    const course_ids: string[] = [];
    for (let made = 0; made < courses; made += 1) course_ids.push((await newCourse(this.api)).id);
    const plan = await newMembershipPlan(this.api, { ...MONTHLY, course_ids, ...body });
    return { plan, price_id: plan.prices[0]?.id ?? '', course_ids, student_id: await this.newStudent() };
  }

  async start({ price_id, student_id }: Offer, more: object = {}): Promise<Shown> {
    const body = { price_id, student_id, ...more };
    const made = await this.api.send<Shown>('POST', '/api/v1/subscriptions', { body });
    expect([made.status, made.text]).toEqual([201, made.text]);
    return made.body;
  }

  async sell({ price_id, student_id }: Offer, at = new Date()): Promise<Sold> {
    const order_id = randomUUID();
    const sale = { price_id, student_id, order_id, at };
    return { ...(await this.within((tx) => this.subscriptions.sell(this.api.sites[0], sale, tx))), order_id };
  }

  renew(
    { id: subscription_id }: { readonly id: string },
    { paid = true, order_id = randomUUID(), at = new Date() }: { paid?: boolean; order_id?: string; at?: Date } = {},
  ) {
    const renewal = { subscription_id, order_id, at, failed_order_at: paid ? null : at };
    return this.within((tx) => this.subscriptions.renew(this.api.sites[0], renewal, tx));
  }

  takeBack(order_id: string) {
    return this.within((tx) => this.subscriptions.takeBack(this.api.sites[0], { order_id }, tx));
  }

  /** The enrollments of a student, as pairs of state and end by course. */
  async access(student_id: string): Promise<Record<string, unknown>> {
    const path = `/api/v1/students/${student_id}/enrollments`;
    const { body } = await this.api.send<{ data: Record<string, string>[] }>('GET', path);
    return Object.fromEntries(
      body.data.map(({ course_id = '', state, expires_at }) => [course_id, [state, expires_at]]),
    );
  }

  async soldCount({ path }: { readonly path: string }): Promise<unknown> {
    return (await this.api.send('GET', path)).body['sold_count'];
  }

  /** Moves the clock, until no subscription is due. */
  async clock(now: Date): Promise<void> {
    while ((await this.upkeep.followClock(now, 10)) > 0);
  }

  async names(id: string, count: number): Promise<unknown[]> {
    return (await this.api.events.of([id], count)).map(({ type }) => type.split('.')[2]);
  }
}
