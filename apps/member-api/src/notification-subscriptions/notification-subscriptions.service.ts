import { Injectable } from '@nestjs/common';
import { notificationSubscriptionEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { NotificationSubscriptionsRepository } from './notification-subscriptions.repository.js';
import type { ChangeOptions, Changed, Settings, SubscriptionChange } from './notification-subscriptions.repository.js';

/** The result of a change: the settings after it, even if they are unchanged, or the reason for its rejection. */
export type ChangeEnd = Settings | 'not_found' | 'not_changeable';

type Member = Pick<Principal, 'site_id' | 'person_id'>;

const UNCHANGED = { active: null, in_app: null, email: null, dryRun: false, byLink: false };

@Injectable()
export class NotificationSubscriptionsService {
  constructor(
    private readonly outbox: Outbox,
    private readonly subscriptions: NotificationSubscriptionsRepository,
  ) {}

  /**
   * `id` is undefined for a malformed id. The result is the same for a missing subscription and for one of another
   * person or site. A dry run writes nothing.
   */
  async change(
    member: Member,
    id: string | undefined,
    change: Partial<SubscriptionChange & ChangeOptions>,
  ): Promise<ChangeEnd> {
    if (id === undefined) return 'not_found';
    return this.outbox.transaction(async (tx) => {
      const changed = await this.subscriptions.change(tx, member, id, { ...UNCHANGED, ...change });
      if (changed === undefined) return 'not_found';
      if (changed.transactional) return 'not_changeable';
      await this.#publish(tx, member, id, changed);
      const { active, in_app, email } = changed;
      return { active, in_app, email };
    });
  }

  async #publish(tx: EntityManager, member: Member, subscription_id: string, changed: Changed): Promise<void> {
    const { version, updated_at, topic, entity_id, active, in_app, email } = changed;
    if (version === null || updated_at === null) return;
    const { site_id, person_id } = member;
    await this.outbox.add(tx, notificationSubscriptionEvents, 'updated', {
      aggregate_id: subscription_id,
      aggregate_version: version,
      site_id,
      data: {
        subscription_id,
        site_id,
        person_id,
        topic,
        entity_type: entity_id === null ? null : 'course',
        entity_id,
        active,
        channels: { in_app, email },
        updated_at: updated_at.toISOString(),
      },
    });
  }
}
