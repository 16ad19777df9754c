import { ApiError } from '@lyceum/errors';
import type { Progress } from './progress.entity.js';

/** @throws the error of an unknown lecture at the member that names it */
export function requireLecture<T>(
  lecture: T | undefined,
  { pointer, code }: { readonly pointer: string; readonly code: 'not_found' | 'validation_failed' },
): T {
  if (lecture !== undefined) return lecture;
  throw new ApiError(code, 'The course has no such lecture', {
    errors: [{ pointer, code: 'not_found', detail: 'No lecture of this course' }],
  });
}

export type ProgressStep = Pick<Progress, 'lecture_title' | 'position_seconds' | 'watched_at' | 'completed'>;

/**
 * The changes by a record, which may come in any order: the latest one has the position, and the earliest one that
 * completes the lecture has the completion. Undefined: it changes nothing.
 */
export function changesBy(
  { completed, ...step }: ProgressStep,
  known: Pick<Progress, 'watched_at' | 'completed_at'>,
): Partial<Progress> | undefined {
  const isLater = step.watched_at > known.watched_at;
  const isFirst = completed && (known.completed_at === null || step.watched_at < known.completed_at);
  if (!isLater && !isFirst) return undefined;
  return { ...(isLater && step), ...(isFirst && { completed, completed_at: step.watched_at }) };
}
