import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Written } from '@lyceum/collections';
import type { subscriptionEvents } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccessService } from '#src/enrollments/access.service.js';
import { StudentService } from '#src/students/student.service.js';
import { changesOf, isLive, isProlonged, standingAt } from './standing.policy.js';
import type { Standing } from './standing.policy.js';
import type { Subscription } from './subscription.entity.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { subscriptionStore } from './subscription.store.js';
import type { SubscriptionStore } from './subscription.store.js';

type EventName = (typeof subscriptionEvents)['names'][number];

/** A change of a locked subscription, and the event that says why. */
export interface SubscriptionChange {
  readonly event: EventName;
  readonly next: Standing;
  readonly own?: Partial<Pick<Subscription, 'external_id' | 'metadata'>> | undefined;
}

/** Access before a change of a subscription or of its plan. */
interface Following {
  /** `live_until` before. Undefined: the subscription is new or renewed. */
  readonly former_end?: Date | null | undefined;
  /** True for a course that has come to the plan. By default none has. */
  readonly isAdded?: (course_id: string) => boolean;
}

/** Writes subscriptions, and makes the access of their students follow them. */
@Injectable()
export class SubscriptionChanges {
  readonly store: SubscriptionStore;

  constructor(
    stores: SiteStores,
    private readonly repository: SubscriptionRepository,
    readonly students: StudentService,
    private readonly access: AccessService,
  ) {
    this.store = subscriptionStore(stores);
  }

  /** Locks a subscription after its student. @throws `not_found` */
  async lock(tx: EntityManager, { site_id }: Pick<Caller, 'site_id'>, id: string): Promise<Subscription> {
    const { student_id } = (await this.store.find({ site_id }, { id }, tx)) ?? this.store.missing();
    await this.students.lock({ site_id }, student_id, tx);
    return this.store.lock(tx, { site_id }, id);
  }

  async insert(
    tx: EntityManager,
    site: Pick<Caller, 'site_id'>,
    values: Partial<Subscription>,
    course_ids: readonly string[],
  ): Promise<Created<Subscription>> {
    const made = await this.store.insert(tx, site, values, 'created');
    await this.followPlan(tx, made.row, {}, course_ids);
    return made;
  }

  /** Writes and publishes the change, then gives or takes back the access. Undefined: nothing changes. */
  write(
    tx: EntityManager,
    caller: Caller,
    row: Subscription,
    change: SubscriptionChange | undefined,
  ): Promise<Written<Subscription>> {
    return this.store.change(tx, caller, row, () => {
      if (change === undefined) return undefined;
      const standing = changesOf(row, change.next);
      const gives = 'live_until' in standing || 'state' in standing;
      const changes = { ...standing, ...change.own };
      const former_end = isProlonged(row, change.next) ? undefined : row.live_until;
      const after = (_tx: EntityManager, written: Subscription) => this.followPlan(tx, written, { former_end });
      return { event: change.event, changes, ...(gives && { after }) };
    });
  }

  /** Gives the locked student of a live subscription access to the courses of its plan. An ended one gives none. */
  async followPlan(
    tx: EntityManager,
    row: Subscription,
    following: Following,
    courses?: readonly string[],
  ): Promise<void> {
    const source = { source: 'subscription', source_id: row.id } as const;
    const { student_id, started_at, live_until } = row;
    if (!isLive(standingAt(row, new Date()).state) || started_at === null) {
      await this.access.takeBack(row, source, tx);
      return;
    }
    const course_ids = courses ?? (await this.repository.coursesOf(tx, row));
    await this.access.follow(
      row,
      { ...source, ...following, student_id, course_ids, starts_at: started_at, ends_at: live_until },
      tx,
    );
  }

  publish(tx: EntityManager, row: Subscription, event: EventName): Promise<void> {
    return this.store.publish(tx, row, event);
  }
}
