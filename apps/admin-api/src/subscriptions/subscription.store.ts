import type { SiteStore, SiteStores } from '@lyceum/collections';
import { subscriptionEvents } from '@lyceum/contracts';
import { copyOf, iso } from '@lyceum/rest';
import { REVISION } from '#src/students/row-of-student.js';
import { standingAt } from './standing.policy.js';
import { Subscription } from './subscription.entity.js';
import { SUBSCRIPTION_PARTS } from './subscription.listing.js';
import { subscription as resource } from './subscription.schema.js';

export type SubscriptionStore = SiteStore<Subscription, typeof subscriptionEvents>;

export function subscriptionStore(stores: SiteStores): SubscriptionStore {
  return stores.of({
    entity: Subscription,
    // Events name the person and the plan; lists do not show them.
    resource: copyOf(resource, { details: ['person_id', 'plan_name'] }),
    computed: { ...SUBSCRIPTION_PARTS, revision: REVISION },
    unique: { subscriptions_external_id: 'external_id' },
    events: subscriptionEvents,
    data: (stored) => {
      const row = standingAt(stored, new Date());
      return {
        subscription_id: row.id,
        site_id: row.site_id,
        student_id: row.student_id,
        person_id: row.person_id,
        plan_id: row.plan_id,
        price_id: row.price_id,
        plan_name: row.plan_name,
        state: row.state,
        state_since: iso(row.state_since),
        trial_ends_at: iso(row.trial_ends_at),
        current_period_end: iso(row.current_period_end),
        cancel_at_period_end: row.cancel_at_period_end,
        ended_at: iso(row.ended_at),
      };
    },
  });
}
