import { periodEnd } from '#src/time-zones/period.policy.js';
import type { Schedule } from '#src/time-zones/period.policy.js';

export const DURATIONS = ['once', 'repeating', 'forever'] as const;
export type Duration = (typeof DURATIONS)[number];

/** The subscription that an order renews. */
export interface RenewedSubscription extends Pick<Schedule, 'interval' | 'interval_count'> {
  /** Ids of its orders that were paid before and not refunded. */
  readonly order_ids: readonly string[];
  /** Number of periods that they paid. */
  readonly payments: number;
  readonly time_zone: string;
}

/** A renewal, with the instants of the earlier payments of the subscription that the coupon reduced, oldest first. */
export interface Renewal extends Omit<RenewedSubscription, 'order_ids'> {
  readonly reduced: readonly Date[];
}

interface Lasting {
  readonly duration: Duration;
  readonly duration_months: number | null;
}

/** True if the coupon has reduced a payment of the subscription, so its limits do not count this one. */
export function isContinued(renewal: Renewal | undefined): boolean {
  return renewal !== undefined && renewal.reduced.length > 0;
}

/**
 * Returns why a coupon does not reduce a renewal. Undefined: it does. The months of a repeating coupon begin with the
 * first payment that it reduced. They cover the periods that begin in them, however late each is paid.
 */
export function durationRefusal(
  { duration, duration_months }: Lasting,
  { payments, reduced, interval, interval_count, time_zone }: Renewal,
): string | undefined {
  const [first] = reduced;
  if (duration === 'once' && (payments > 0 || first !== undefined)) {
    return 'The coupon reduces the first payment of a subscription';
  }
  if (duration !== 'repeating' || duration_months === null || first === undefined) return undefined;
  const begins = periodEnd({ anchor_at: first, interval, interval_count }, reduced.length, time_zone);
  const end = periodEnd({ anchor_at: first, interval: 'month', interval_count: duration_months }, 1, time_zone);
  return begins < end ? undefined : `The coupon reduces the payments of ${duration_months} months`;
}
