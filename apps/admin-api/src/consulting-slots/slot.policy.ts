import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import { isWritable } from '@lyceum/rest';

export const SLOT_STATES = ['open', 'canceled'] as const;
export type SlotState = (typeof SLOT_STATES)[number];

const MINUTE_MS = 60_000;
/** Longest session. The search for overlapping slots of a lecturer depends on it. */
const MAX_MS = 24 * 60 * MINUTE_MS;

interface Times {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

interface Held extends Times {
  readonly lecturer_id: string | null;
}

/** The end of a slot that names none: after the length of a session of its service. */
export function endOf(
  { starts_at, ends_at }: { readonly starts_at: Date; readonly ends_at?: Date | null | undefined },
  { duration_minutes }: { readonly duration_minutes: number },
): Date {
  return ends_at ?? new Date(starts_at.getTime() + duration_minutes * MINUTE_MS);
}

/** @throws `validation_failed` */
export function requireTimes(times: Times): void {
  const error = errorOf(times);
  if (error !== undefined)
    throw new ApiError('validation_failed', 'The times of the slot do not fit', { errors: [error] });
}

function errorOf({ starts_at, ends_at }: Times): FieldError | undefined {
  const length = ends_at.getTime() - starts_at.getTime();
  if (!isWritable(ends_at)) {
    return { pointer: '/starts_at', code: 'too_large', detail: 'The session ends after the year 9999' };
  }
  if (length <= 0) return { pointer: '/ends_at', code: 'too_small', detail: 'After starts_at' };
  if (length > MAX_MS) return { pointer: '/ends_at', code: 'too_large', detail: 'At most 24 hours after starts_at' };
  return undefined;
}

/** @throws `invalid_state` for a canceled slot, or a capacity below the booked places */
export function requireChangeable(
  { state, booked_count }: { readonly state: SlotState; readonly booked_count: number },
  capacity: number | undefined,
): void {
  if (state === 'canceled') throw new ApiError('invalid_state', 'A canceled slot cannot be changed');
  if (capacity === undefined || capacity >= booked_count) return;
  throw new ApiError('invalid_state', `${booked_count} places of the slot are booked`, {
    errors: [{ pointer: '/capacity', code: 'too_small', detail: `At least ${booked_count}` }],
    hint: 'Cancel or move bookings first',
  });
}

/**
 * Returns the lecturer of a slot: one of the service, by default the first.
 *
 * @throws `validation_failed`
 */
export function lecturerOf(
  given: string | null | undefined,
  { lecturer_ids }: { readonly lecturer_ids: readonly string[] },
): string | null {
  if (given === undefined || given === null) return lecturer_ids[0] ?? null;
  if (lecturer_ids.includes(given)) return given;
  throw new ApiError('validation_failed', 'The lecturer holds no sessions of this service', {
    errors: [{ pointer: '/lecturer_id', code: 'not_found', detail: 'One of the lecturer_ids of the service' }],
  });
}

/** Whether one lecturer would hold both slots at a time. */
export function overlapping(one: Held, other: Held): boolean {
  if (one.lecturer_id === null || one.lecturer_id !== other.lecturer_id) return false;
  return one.starts_at < other.ends_at && other.starts_at < one.ends_at;
}

/** @throws `invalid_state` for a lecturer with another session at the time */
export function requireFree(other: { readonly id: string } | undefined): void {
  if (other === undefined) return;
  throw new ApiError('invalid_state', 'The lecturer has another session at this time', {
    errors: [{ pointer: '/starts_at', code: 'invalid_value', detail: 'The times of another slot of the lecturer' }],
    hint: 'Choose another time or another lecturer',
  });
}
