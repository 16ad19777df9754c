import { ApiError } from '@lyceum/errors';
import { allowedMove } from '#src/moves/move.policy.js';
import type { Moves } from '#src/moves/move.policy.js';

export const ANNOUNCEMENT_STATES = ['draft', 'scheduled', 'sent'] as const;
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number];

interface Planned {
  readonly state: AnnouncementState;
  readonly sends_at: Date | null;
}

const MOVES = {
  schedule: { from: ['draft'], to: 'scheduled', event: 'scheduled' },
  unschedule: { from: ['scheduled'], to: 'draft', event: 'unscheduled' },
  send: { from: ['draft', 'scheduled'], to: 'sent', event: 'sent' },
} as const satisfies Moves<AnnouncementState>;
export type AnnouncementMove = keyof typeof MOVES;

/**
 * Returns the change of a move; undefined for an announcement that is there already.
 *
 * @throws `invalid_state`
 */
export function moveOf(announcement: Planned, name: AnnouncementMove, now: Date) {
  const { state, sends_at } = announcement;
  const move = allowedMove('An announcement', MOVES, state, name);
  if (move === undefined) return undefined;
  if (name === 'schedule' && (sends_at === null || sends_at <= now)) {
    throw new ApiError('invalid_state', 'The announcement has no time in the future', {
      errors: [{ pointer: '/sends_at', code: 'too_small', detail: 'Must be in the future' }],
      hint: 'Set sends_at first',
    });
  }
  const { event, to } = move;
  return { event, changes: to === 'sent' ? { state: to, sent_at: now } : { state: to } };
}

/** @throws `invalid_state` for an announcement that members may have received */
export function requireUnsent({ state }: Pick<Planned, 'state'>): void {
  if (state !== 'sent') return;
  throw new ApiError('invalid_state', 'The announcement is sent', { hint: 'Send another announcement' });
}

/** Checks another time of an announcement. @throws `validation_failed` */
export function requireTime(sends_at: Date | null, { state }: Pick<Planned, 'state'>, now: Date): void {
  if (state !== 'scheduled' || (sends_at !== null && sends_at > now)) return;
  throw new ApiError('validation_failed', 'A scheduled announcement is sent in the future', {
    errors: [{ pointer: '/sends_at', code: 'too_small', detail: 'Must be in the future' }],
    hint: 'Unschedule the announcement, or send it now',
  });
}

interface Audience {
  readonly course_id: string | null;
  readonly membership_plan_id: string | null;
}

/** @throws `validation_failed` for an announcement to both a course and a plan */
export function requireOneAudience({ course_id, membership_plan_id }: Audience): void {
  if (course_id === null || membership_plan_id === null) return;
  throw new ApiError('validation_failed', 'An announcement goes to a course or to a membership plan', {
    errors: [{ pointer: '/membership_plan_id', code: 'invalid_value', detail: 'Must be null with `course_id`' }],
    hint: 'Set course_id or membership_plan_id to null',
  });
}
