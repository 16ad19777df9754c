import { ApiError } from '@lyceum/errors';
import type { PublicationState } from '#src/publication/publication.policy.js';
import { daysAfter } from '#src/time-zones/period.policy.js';

/** An archived service keeps its booked sessions and accepts no others. @throws `invalid_state` */
export function requireNotArchived(state: PublicationState, to: string): void {
  if (state === 'archived') throw new ApiError('invalid_state', `An archived consulting service cannot ${to}`);
}

/** Members that only owners and admins set. A teacher can change the others in an own service. */
const OF_ADMINISTRATORS = ['lecturer_ids', 'price'] as const;

export function changesOfAdministrators(changes: object): boolean {
  return OF_ADMINISTRATORS.some((member) => member in changes);
}

interface Validity {
  readonly validity_days: number | null;
  /** IANA name of the zone of the service, on whose clock sessions expire. */
  readonly timezone: string;
}

/** Returns the instant at which sessions that are bought now expire. Null: never. */
export function expiryOf({ validity_days, timezone }: Validity, now: Date): Date | null {
  return validity_days === null ? null : daysAfter(now, validity_days, timezone);
}
