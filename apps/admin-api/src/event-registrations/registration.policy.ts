import { ApiError } from '@lyceum/errors';
import type { Sold, TicketTerms } from '#src/event-tickets/event-ticket.policy.js';
import { stateAt, stateThen } from '#src/events/event.policy.js';
import type { EventState } from '#src/events/event.policy.js';
import { allowedMove } from '#src/moves/move.policy.js';
import type { Moves } from '#src/moves/move.policy.js';

export const REGISTRATION_STATES = ['registered', 'waitlisted', 'checked_in', 'no_show', 'canceled'] as const;
export type RegistrationState = (typeof REGISTRATION_STATES)[number];

/** Sources that operators name. An order is recorded by its own service. */
export const OPERATOR_SOURCES = ['manual', 'free', 'import'] as const;
export const REGISTRATION_SOURCES = ['order', ...OPERATOR_SOURCES] as const;
export type RegistrationSource = (typeof REGISTRATION_SOURCES)[number];

/** Doors open an hour before the start. */
const DOORS_MS = 3_600_000;

interface Scheduled {
  readonly state: EventState;
  readonly starts_at: Date;
  readonly ends_at: Date;
}

type By = 'operator' | 'member' | 'order';

/**
 * Members register until the end of an event. Operators also register for an event that has ended, to record who came.
 * The payment of an order may be recorded after the end, so its instant decides.
 *
 * @param at the instant of the registration, or of the payment
 * @throws `invalid_state`
 */
export function requireOpen(event: Scheduled, by: By, at: Date, pointer: string): void {
  const state = by === 'order' ? stateThen(event, at) : stateAt(event, at);
  if (state === 'published' || state === 'live' || (state === 'ended' && by === 'operator')) return;
  throw new ApiError('invalid_state', `The event is ${state}, so it takes no registrations`, {
    errors: [{ pointer, code: 'invalid_state', detail: 'An event that is published and not over' }],
  });
}

/** True when a registration without a place waits. The waiting list of an event that has ended never moves. */
export function canWait(event: Scheduled & { readonly waitlist: boolean }, at: Date): boolean {
  return event.waitlist && stateAt(event, at) !== 'ended';
}

/** True for a registration that takes a place. */
export function takesPlace(state: RegistrationState): boolean {
  return state !== 'waitlisted' && state !== 'canceled';
}

/** The free places of a locked event and of its tickets. */
export class Places {
  /** Taken since the start of the change. */
  #taken = 0;
  readonly #sold = new Map<string, number>();

  constructor(
    private readonly event: { readonly capacity: number | null; readonly registrations_count: number },
    readonly tickets: ReadonlyMap<string, TicketTerms>,
  ) {}

  get taken(): number {
    return this.#taken;
  }

  /** The taken places by ticket. */
  get sold(): readonly Sold[] {
    return [...this.#sold].map(([id, by]) => ({ id, by }));
  }

  get isFull(): boolean {
    const { capacity, registrations_count } = this.event;
    return capacity !== null && registrations_count + this.#taken >= capacity;
  }

  /** Takes a place of the ticket. Returns false when the event or the ticket has none. */
  take(ticket_id: string | null): boolean {
    if (this.isFull) return false;
    if (ticket_id !== null) {
      const { capacity = null, sold_count = 0 } = this.tickets.get(ticket_id) ?? {};
      const sold = this.#sold.get(ticket_id) ?? 0;
      if (capacity !== null && sold_count + sold >= capacity) return false;
      this.#sold.set(ticket_id, sold + 1);
    }
    this.#taken += 1;
    return true;
  }
}

/** @throws `invalid_state` with the code `sold_out` */
export function refuseSoldOut(pointer: string): never {
  throw new ApiError('invalid_state', 'All places are taken', {
    errors: [{ pointer, code: 'sold_out', detail: 'No place is free' }],
    hint: 'Raise the capacity, or switch the waiting list of the event on',
  });
}

/**
 * Returns the ticket of a registration: one of the event, and none for an event without tickets.
 *
 * @throws `validation_failed`
 */
export function ticketOf(
  ticket_id: string | null,
  tickets: ReadonlyMap<string, TicketTerms>,
  pointer: string,
): TicketTerms | undefined {
  if (ticket_id === null) {
    if (tickets.size === 0) return undefined;
    throw new ApiError('validation_failed', 'The event has tickets', {
      errors: [{ pointer, code: 'required', detail: 'A ticket of the event' }],
    });
  }
  const ticket = tickets.get(ticket_id);
  if (ticket !== undefined) return ticket;
  throw new ApiError('validation_failed', 'The event has no such ticket', {
    errors: [{ pointer, code: 'not_found', detail: 'A ticket of the event' }],
  });
}

/** A member takes a ticket without an order only if it is free. @throws `invalid_state` */
export function requireFree(ticket: Pick<TicketTerms, 'amount_minor'> | undefined, pointer: string): void {
  if (ticket === undefined || ticket.amount_minor === 0) return;
  throw new ApiError('invalid_state', 'The ticket has a price, so it needs an order', {
    errors: [{ pointer, code: 'invalid_value', detail: 'A free ticket' }],
  });
}

/** Attendance can be corrected. A canceled registration is final: the student registers again. */
const MOVES = {
  check_in: { from: ['registered', 'no_show'], to: 'checked_in', event: 'attended' },
  no_show: { from: ['registered', 'checked_in'], to: 'no_show', event: 'missed' },
  cancel: { from: ['registered', 'waitlisted'], to: 'canceled', event: 'canceled' },
} as const satisfies Moves<RegistrationState>;
export type RegistrationMove = keyof typeof MOVES;

/** Returns the rule of the move; undefined when the registration already has the state. @throws `invalid_state` */
export function moveOf(state: RegistrationState, name: RegistrationMove): (typeof MOVES)[RegistrationMove] | undefined {
  return allowedMove('A registration', MOVES, state, name);
}

/** True for a registration that a refund cancels. A recorded attendance stays: it has happened. */
export function isCancelable(state: RegistrationState): boolean {
  return (MOVES.cancel.from as readonly RegistrationState[]).includes(state);
}

/** Students check in from an hour before the start, and are missing from the start. @throws `invalid_state` */
export function requireAttendable(event: Scheduled, name: 'check_in' | 'no_show', now: Date): void {
  const opens = event.starts_at.getTime() - (name === 'check_in' ? DOORS_MS : 0);
  if (event.state !== 'canceled' && opens <= now.getTime()) return;
  throw new ApiError('invalid_state', event.state === 'canceled' ? 'The event is canceled' : 'It is too early', {
    hint: 'check_in works from one hour before the start, no_show from the start',
  });
}

/** A member cancels before the start, and only a registration without an order. @throws `invalid_state` */
export function requireCancelable(
  { source }: { readonly source: RegistrationSource },
  { starts_at }: Pick<Scheduled, 'starts_at'>,
  now: Date,
): void {
  if (starts_at <= now) throw new ApiError('invalid_state', 'The event has begun');
  if (source === 'order')
    throw new ApiError('invalid_state', 'A bought registration ends with the refund of its order');
}
