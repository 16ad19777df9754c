import { ApiError } from '@lyceum/errors';
import type { EventState } from '#src/events/event.policy.js';

/** The members of a ticket that registrations need. */
export interface TicketTerms {
  readonly id: string;
  readonly name: string;
  readonly capacity: number | null;
  readonly sold_count: number;
  readonly amount_minor: number;
}

/** A number of places to add to the sold ones. */
export interface Sold {
  readonly id: string;
  readonly by: number;
}

/** Most tickets of one event. */
export const MAX_TICKETS = 20;

/** Returns the position after the last ticket. @throws `invalid_state` for an event with `MAX_TICKETS` tickets */
export function positionAfter(tickets: readonly { readonly position: number }[]): number {
  if (tickets.length >= MAX_TICKETS) {
    throw new ApiError('invalid_state', `An event has at most ${MAX_TICKETS} tickets`, {
      hint: 'Change or delete a ticket of the event',
    });
  }
  return Math.max(0, ...tickets.map(({ position }) => position)) + 1;
}

/** The tickets of an event that has ended or is canceled stay. @throws `invalid_state` */
export function requireOnSale(state: EventState): void {
  if (state !== 'ended' && state !== 'canceled') return;
  throw new ApiError('invalid_state', `The event is ${state}, so its tickets stay as they are`);
}

/** @throws `invalid_state` for a capacity below the sold places */
export function requireCapacity({
  capacity,
  sold_count,
}: {
  readonly capacity: number | null;
  readonly sold_count: number;
}): void {
  if (capacity === null || capacity >= sold_count) return;
  throw new ApiError('invalid_state', `${sold_count} places of the ticket are sold`, {
    errors: [{ pointer: '/capacity', code: 'too_small', detail: `At least ${sold_count}` }],
    hint: 'Cancel registrations first',
  });
}
