import type { Caller } from '@lyceum/collections';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MembershipPlanService } from '#src/membership-plans/membership-plan.service.js';
import { SchoolService } from '#src/school/school.service.js';
import type { Student } from '#src/students/student.entity.js';
import { isLive, standingAt } from './standing.policy.js';
import { SubscriptionChanges } from './subscription.changes.js';
import { canceled } from './subscription.policy.js';
import { SubscriptionRepository } from './subscription.repository.js';
import type { PlanFollow, SubscriptionKey } from './subscription.repository.js';

type Person = Pick<Student, 'site_id' | 'id' | 'person_id'>;

/** Lets subscriptions follow the clock, their plans and their students. */
@Injectable()
export class SubscriptionUpkeep {
  constructor(
    private readonly repository: SubscriptionRepository,
    private readonly changes: SubscriptionChanges,
    private readonly schools: SchoolService,
    private readonly outbox: Outbox,
    plans: MembershipPlanService,
  ) {
    changes.students.linked.add((tx, { site_id, id }) => this.#publishAgain(tx, { site_id }, id));
    changes.students.removed.add((tx, student) => this.#end(tx, student));
    plans.changed.add((tx, plan) => this.followPlan(tx, plan));
  }

  /** Moves at most `limit` subscriptions to their state at an instant. Returns the number of those that it moved. */
  async followClock(now: Date, limit: number): Promise<number> {
    let moved = 0;
    for (const key of await this.repository.due(now, limit))
      if (await this.outbox.transaction((tx) => this.#followClock(tx, key, now))) moved += 1;
    return moved;
  }

  /** Lets the live subscriptions of a locked plan follow its courses. A job reads them, because there may be many. */
  followPlan(
    tx: EntityManager,
    plan: Pick<PlanFollow, 'site_id' | 'plan_id'> & { readonly added: readonly string[] },
  ): Promise<void> {
    return this.repository.requestFollow(tx, plan);
  }

  /** Lets the next subscriptions of one changed plan follow it. Returns false when no plan has changed. */
  async followPlans(limit: number): Promise<boolean> {
    const plan = await this.repository.claimFollow();
    if (plan === undefined) return false;
    const keys = await this.repository.following(plan, limit);
    for (const key of keys) await this.outbox.transaction((tx) => this.#followPlan(tx, key, plan.added));
    await this.repository.advanceFollow(plan, keys.length < limit ? undefined : keys.at(-1)?.id);
    return true;
  }

  async #followClock(tx: EntityManager, key: SubscriptionKey, now: Date): Promise<boolean> {
    // Another replica moves it, or has moved it.
    if (!(await this.repository.lockDue(tx, key, now))) return false;
    const { site_id, id } = key;
    const row = await this.changes.store.lock(tx, { site_id }, id);
    const next = standingAt(row, now);
    // A payment may have just come.
    if (next.state === row.state) return false;
    const event = next.state as 'past_due' | 'canceled' | 'expired';
    await this.changes.write(tx, { site_id }, row, { event, next });
    return true;
  }

  async #followPlan(tx: EntityManager, { site_id, id }: SubscriptionKey, added: PlanFollow['added']): Promise<void> {
    const row = await this.changes.lock(tx, { site_id }, id);
    const isAdded = (course_id: string): boolean => added === null || added.includes(course_id);
    if (isLive(row.state)) await this.changes.followPlan(tx, row, { former_end: row.live_until, isAdded });
  }

  /** Ends the subscriptions of a removed student, and publishes the others again with the person that is left. */
  async #end(tx: EntityManager, { site_id, id: student_id, person_id }: Person): Promise<void> {
    const open = await this.repository.openOf(tx, { site_id }, student_id);
    for (const id of open) {
      const row = await this.changes.lock(tx, { site_id }, id);
      const billing = await this.schools.billing({ site_id }, tx);
      const [now, next] = [new Date(), standingAt(row, new Date())];
      const end = isLive(next.state) || next.state === 'incomplete' ? undefined : next;
      const to = end ?? canceled(row, { at_period_end: false, reason: null }, billing, now);
      const event = to?.state === 'expired' ? 'expired' : 'canceled';
      await this.changes.write(tx, { site_id }, row, to && { event, next: to });
    }
    await this.#publishAgain(tx, { site_id }, student_id, person_id === null);
  }

  async #publishAgain(
    tx: EntityManager,
    site: Pick<Caller, 'site_id'>,
    student_id: string,
    erases = false,
  ): Promise<void> {
    const touched = await this.repository.touchAll(tx, site, student_id, erases);
    for (const row of touched) await this.changes.publish(tx, row, 'linked');
  }
}
