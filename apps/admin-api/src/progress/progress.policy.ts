import { ApiError } from '@lyceum/errors';

/** How far the clock of a player may be ahead of ours. */
const MAX_AHEAD_MS = 5 * 60_000;

/** Progress of the future would stand against all that comes until then. */
export function requireWatched(at: Date, now: Date, pointer: string): void {
  if (at.getTime() - now.getTime() <= MAX_AHEAD_MS) return;
  throw new ApiError('validation_failed', 'The progress is of the future', {
    errors: [{ pointer, code: 'too_large', detail: 'At most five minutes from now' }],
  });
}
