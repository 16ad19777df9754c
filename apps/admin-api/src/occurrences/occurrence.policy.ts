import { ApiError } from '@lyceum/errors';

/** Tolerated lead of the clock of a program. */
const MAX_AHEAD_MS = 5 * 60_000;

/** A future report would suppress all reports until then. @throws `validation_failed` at the pointer */
export function requireOccurred(at: Date, now: Date, pointer: string): void {
  if (at.getTime() - now.getTime() <= MAX_AHEAD_MS) return;
  throw new ApiError('validation_failed', 'The instant is in the future', {
    errors: [{ pointer, code: 'too_large', detail: 'At most five minutes from now' }],
  });
}
