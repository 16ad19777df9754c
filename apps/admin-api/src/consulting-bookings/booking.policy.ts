import { ApiError } from '@lyceum/errors';
import type { SlotState } from '#src/consulting-slots/slot.policy.js';
import { allowedMove } from '#src/moves/move.policy.js';
import type { Moves } from '#src/moves/move.policy.js';

export const BOOKING_STATES = ['scheduled', 'completed', 'no_show', 'canceled'] as const;
export type BookingState = (typeof BOOKING_STATES)[number];

const HOUR_MS = 3_600_000;

interface Place {
  readonly state: SlotState;
  readonly starts_at: Date;
  readonly capacity: number;
  readonly booked_count: number;
}

/** @throws `invalid_state` for a canceled or a full slot */
export function requirePlace({ state, capacity, booked_count }: Place): void {
  if (state === 'canceled') throw new ApiError('invalid_state', 'The slot is canceled');
  if (booked_count < capacity) return;
  throw new ApiError('invalid_state', 'The slot is full', { hint: 'Choose another slot' });
}

/** Members book, move and cancel future sessions only. Operators also record past ones. @throws `invalid_state` */
export function requireToCome({ starts_at }: { readonly starts_at: Date }, now: Date): void {
  if (starts_at <= now) throw new ApiError('invalid_state', 'The session has begun');
}

/** Attendance can be recorded once the session has begun. @throws `invalid_state` */
export function requireBegun({ starts_at }: { readonly starts_at: Date }, now: Date): void {
  if (starts_at > now) throw new ApiError('invalid_state', 'The session has not begun');
}

/** A purchase can book one place in a slot. @throws `invalid_state` */
export function requireFirstBooking(booked: boolean): void {
  if (booked) throw new ApiError('invalid_state', 'The purchase has a booking in this slot');
}

interface Notice {
  readonly starts_at: Date;
  readonly cancel_notice_hours: number;
}

/** A cancellation before the notice period of the service returns the session. A later one uses it. */
export function isInTime({ starts_at, cancel_notice_hours }: Notice, now: Date): boolean {
  return starts_at.getTime() - now.getTime() >= cancel_notice_hours * HOUR_MS;
}

/** A member can move a booking while a cancellation would return the session. @throws `invalid_state` */
export function requireInTime(notice: Notice, now: Date): void {
  if (isInTime(notice, now)) return;
  throw new ApiError(
    'invalid_state',
    `A booking can be moved until ${notice.cancel_notice_hours} hours before the start`,
  );
}

/** Recorded attendance can be corrected. A canceled booking is final. */
const MOVES = {
  complete: { from: ['scheduled', 'no_show'], to: 'completed', event: 'completed' },
  no_show: { from: ['scheduled', 'completed'], to: 'no_show', event: 'missed' },
  cancel: { from: ['scheduled'], to: 'canceled', event: 'canceled' },
} as const satisfies Moves<BookingState>;
export type BookingMove = keyof typeof MOVES;

/** Returns the rule of the move; undefined when the booking already has the state. @throws `invalid_state` */
export function moveOf(state: BookingState, name: BookingMove): (typeof MOVES)[BookingMove] | undefined {
  return allowedMove('A booking', MOVES, state, name);
}

/** A booking moves within one service. @throws `validation_failed` */
export function requireSameService(
  from: { readonly consulting_service_id: string },
  to: { readonly consulting_service_id: string },
  pointer: string,
): void {
  if (from.consulting_service_id === to.consulting_service_id) return;
  throw new ApiError('validation_failed', 'The slot belongs to another service', {
    errors: [{ pointer, code: 'invalid_value', detail: 'A slot of the same consulting service' }],
  });
}

/** @throws `invalid_state` for a booking that is not scheduled */
export function requireScheduled(state: BookingState): void {
  if (state !== 'scheduled') throw new ApiError('invalid_state', `A booking that is ${state} cannot be moved`);
}
