import type { subscriptionEvents } from '@lyceum/contracts';
import type { z } from 'zod';
import { isRecent } from '#src/notifications/kinds.policy.js';

type Subscription = z.output<(typeof subscriptionEvents)['data']>;

export interface SubscriptionNotice {
  /** The parameter `change` of the notification. */
  readonly change: string;
  /** The part of the deduplication key that differs between changes of one subscription. */
  readonly key: string;
}

/** Names of events that report a change without another state. */
const CHANGES: Readonly<Record<string, string>> = {
  renewed: 'renewed',
  cancellation_scheduled: 'ending',
  resumed: 'resumed',
};

/**
 * The notifications of an event. A new state is due by its time, so that it is sent once, by the first event that has
 * it. A renewal that ends a trial or a delay is a new state.
 */
export function subscriptionNotices(
  { name, version, occurred_at }: { readonly name: string; readonly version: string; readonly occurred_at: string },
  { state, state_since }: Pick<Subscription, 'state' | 'state_since'>,
  now: number,
): SubscriptionNotice[] {
  // It waits for its first payment.
  if (state === 'incomplete') return [];
  const isNewState = isRecent(state_since, now);
  const notices = isNewState ? [{ change: state, key: `${state}:${state_since}` }] : [];
  const change = name === 'renewed' && isNewState ? undefined : CHANGES[name];
  if (change === undefined || !isRecent(occurred_at, now)) return notices;
  return [...notices, { change, key: `${change}:${version}` }];
}
