import type { consultingBookingEvents } from '@lyceum/contracts';
import type { z } from 'zod';
import type { RowKind } from '#src/notifications/kinds.policy.js';
import { isSameInstant } from '#src/notifications/state-changes.js';
import type { Instant } from '#src/notifications/state-changes.js';

type Booking = z.output<(typeof consultingBookingEvents)['data']>;

export interface BookingPlan extends Pick<Booking, 'state'> {
  readonly starts_at: Instant;
}

/** The notification of a change of a booking; null for none, as for sessions of the past. */
export function bookingNotice(before: BookingPlan | undefined, after: BookingPlan, now: number): RowKind | null {
  if (new Date(after.starts_at).getTime() <= now) return null;
  if (after.state === 'canceled') return before?.state === 'scheduled' ? 'booking_canceled' : null;
  if (after.state !== 'scheduled') return null;
  if (before === undefined) return 'booking_confirmed';
  return isSameInstant(before.starts_at, after.starts_at) ? null : 'booking_moved';
}
