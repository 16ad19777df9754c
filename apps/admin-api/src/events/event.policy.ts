import { ApiError } from '@lyceum/errors';
import { allowedMove } from '#src/moves/move.policy.js';
import type { Moves } from '#src/moves/move.policy.js';

export const EVENT_STATES = ['draft', 'published', 'live', 'ended', 'canceled'] as const;
export type EventState = (typeof EVENT_STATES)[number];

interface Times {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

interface Timed extends Times {
  readonly state: EventState;
}

/** Returns the state at an instant. A published event is live from its start to its end. */
export function stateAt({ state, starts_at, ends_at }: Timed, now: Date): EventState {
  if (state !== 'published' && state !== 'live') return state;
  if (ends_at <= now) return 'ended';
  return starts_at <= now ? 'live' : 'published';
}

/** Returns the state at an earlier instant. The clock may have ended the event since, and nothing else ends one. */
export function stateThen(event: Timed, then: Date): EventState {
  const { state, starts_at, ends_at } = event;
  return stateAt({ state: state === 'ended' ? 'published' : state, starts_at, ends_at }, then);
}

const MOVES = {
  publish: { from: ['draft'], to: 'published', later: ['live'], event: 'published' },
  cancel: { from: ['published'], to: 'canceled', event: 'canceled' },
} as const satisfies Moves<EventState>;
export type EventMove = keyof typeof MOVES;

/** Returns the rule of the move; undefined for an event that is there already. @throws `invalid_state` */
export function moveOf(event: Timed, name: EventMove, now: Date): (typeof MOVES)[EventMove] | undefined {
  const move = allowedMove('An event', MOVES, stateAt(event, now), name);
  if (move === undefined) return undefined;
  if (name === 'publish' && event.ends_at <= now) {
    throw new ApiError('invalid_state', 'The event would be over already', {
      errors: [{ pointer: '/ends_at', code: 'too_small', detail: 'Must be in the future' }],
      hint: 'Change its times first',
    });
  }
  return move;
}

/** An event ends after it starts. @throws `validation_failed` */
export function requireTimes({ starts_at, ends_at }: Times): void {
  if (ends_at > starts_at) return;
  throw new ApiError('validation_failed', 'The times of the event do not fit', {
    errors: [{ pointer: '/ends_at', code: 'too_small', detail: 'After starts_at' }],
  });
}

const PLACE = ['timezone', 'hosting_type', 'location', 'join_url', 'capacity', 'waitlist'] as const;
const TIMES = ['starts_at', 'ends_at'] as const;

/** Members that a patch cannot change any more, by the state of the event. */
const FROZEN = {
  draft: [],
  published: [],
  live: ['starts_at'],
  ended: [...TIMES, ...PLACE],
  canceled: [...TIMES, ...PLACE],
} as const satisfies Record<EventState, readonly string[]>;

/**
 * Checks an event after a patch of these members.
 *
 * @throws `invalid_state` for a frozen member, or a capacity below the taken places; `validation_failed` for times that
 *   do not fit
 */
export function requireChangeable(
  next: Timed & { readonly capacity: number | null; readonly registrations_count: number },
  state: EventState,
  changed: readonly string[],
  now: Date,
): void {
  const frozen = changed.filter((member) => (FROZEN[state] as readonly string[]).includes(member));
  if (frozen.length > 0) {
    throw new ApiError('invalid_state', `The event is ${state}`, {
      errors: frozen.map((member) => ({
        pointer: `/${member}`,
        code: 'not_changeable',
        detail: `Fixed once the event is ${state}`,
      })),
    });
  }
  const isMoved = TIMES.some((member) => changed.includes(member));
  if (isMoved) requireTimes(next);
  if (isMoved && state !== 'draft' && next.ends_at <= now) {
    throw new ApiError('validation_failed', 'The event would be over already', {
      errors: [{ pointer: '/ends_at', code: 'too_small', detail: 'Must be in the future' }],
    });
  }
  if (next.capacity === null || next.capacity >= next.registrations_count) return;
  throw new ApiError('invalid_state', `${next.registrations_count} places of the event are taken`, {
    errors: [{ pointer: '/capacity', code: 'too_small', detail: `At least ${next.registrations_count}` }],
    hint: 'Cancel registrations first',
  });
}

/** Only a draft can be deleted: registrations may hang on any other event. @throws `invalid_state` */
export function requireDraft(state: EventState): void {
  if (state === 'draft') return;
  throw new ApiError('invalid_state', `An event that is ${state} cannot be deleted`, { hint: 'Cancel it instead' });
}
