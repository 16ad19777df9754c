import type { subscriptionEvents } from '@lyceum/contracts';
import type { z } from 'zod';
import { isRecent } from '#src/notifications/kinds.policy.js';

type Subscription = z.output<(typeof subscriptionEvents)['data']>;

export type SubscriptionState = Pick<Subscription, 'state'>;

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
 * The notifications of an event, by the state of the subscription before it: undefined for the first one of a linked
 * member, whose state may have been sent before. The time of a state makes it distinct, so that it is sent once. A
 * renewal that ends a trial or a delay is another state.
 */
export function subscriptionNotices(
  { name, version, occurred_at }: { readonly name: string; readonly version: string; readonly occurred_at: string },
  before: SubscriptionState | undefined,
  { state, state_since }: Pick<Subscription, 'state' | 'state_since'>,
  now: number,
): SubscriptionNotice[] {
  // It waits for its first payment.
  if (state === 'incomplete') return [];
  const isNewState = before?.state !== state && isRecent(state_since, now);
  const notices = isNewState ? [{ change: state, key: `${state}:${state_since}` }] : [];
  const change = name === 'renewed' && isNewState ? undefined : CHANGES[name];
  if (change === undefined || !isRecent(occurred_at, now)) return notices;
  return [...notices, { change, key: `${change}:${version}` }];
}
