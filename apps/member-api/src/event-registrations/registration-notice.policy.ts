import type { eventEvents, eventRegistrationEvents } from '@lyceum/contracts';
import type { z } from 'zod';
import { isRecent } from '#src/notifications/kinds.policy.js';
import type { RowKind } from '#src/notifications/kinds.policy.js';
import { isSameInstant } from '#src/notifications/state-changes.js';
import type { Instant } from '#src/notifications/state-changes.js';

type Registration = z.output<(typeof eventRegistrationEvents)['data']>;
type LearningEvent = z.output<(typeof eventEvents)['data']>;

export type RegistrationState = Pick<Registration, 'state'>;

/** The notification of a new state of a registration; null for none. */
export function registrationNotice(
  before: RegistrationState | undefined,
  { state, registered_at, canceled_at }: Pick<Registration, 'state' | 'registered_at' | 'canceled_at'>,
  now: number,
): RowKind | null {
  if (before?.state === state) return null;
  const isNew = before === undefined && isRecent(registered_at, now);
  if (state === 'registered') return isNew || before?.state === 'waitlisted' ? 'registration_confirmed' : null;
  if (state === 'waitlisted') return isNew ? 'registration_waitlisted' : null;
  return state === 'canceled' && isRecent(canceled_at, now) ? 'registration_canceled' : null;
}

export interface EventPlan extends Pick<LearningEvent, 'state' | 'hosting_type' | 'location'> {
  readonly starts_at: Instant;
  readonly ends_at: Instant;
}

/** The parameter `change` of the notification of an upcoming event with another time or place; null for no change. */
export function planChange(before: EventPlan | undefined, after: EventPlan): 'time' | 'place' | 'both' | null {
  if (before?.state !== 'published' || after.state !== 'published') return null;
  const isTime = !isSameInstant(before.starts_at, after.starts_at) || !isSameInstant(before.ends_at, after.ends_at);
  const isPlace = before.location !== after.location || before.hosting_type !== after.hosting_type;
  if (isTime) return isPlace ? 'both' : 'time';
  return isPlace ? 'place' : null;
}
