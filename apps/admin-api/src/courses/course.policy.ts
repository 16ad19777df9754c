import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { PUBLICATION_STATES } from '#src/publication/publication.policy.js';
import type { PublicationState } from '#src/publication/publication.policy.js';

export const COURSE_STATES = PUBLICATION_STATES;
export type CourseState = PublicationState;

export const COURSE_TYPES = ['paid', 'public_access', 'free_redeem', 'pre_order'] as const;
export type CourseType = (typeof COURSE_TYPES)[number];

/** The categories of an archived course alone can change, so that none is kept for good. @throws `invalid_state` */
export function requireEditable(state: CourseState, patch: object = { parts: [] }): void {
  if (state !== 'archived' || Object.keys(patch).every((member) => member === 'category_ids')) return;
  throw new ApiError('invalid_state', 'An archived course cannot be changed');
}

/** Values of a course that bind the school, with the words of the refusal. */
const OF_ADMINISTRATORS = {
  lecturer_ids: 'set who teaches a course',
  course_type: 'set the type of a course',
  featured: 'feature a course',
} as const;

/** A teacher changes the contents of an own course. @throws `forbidden` */
export function requireMayChange(
  caller: Pick<Caller, 'roles'>,
  changes: { readonly [Field in keyof typeof OF_ADMINISTRATORS]?: unknown },
): void {
  for (const [field, to] of Object.entries(OF_ADMINISTRATORS)) {
    if (changes[field as keyof typeof OF_ADMINISTRATORS] !== undefined) requireAdministrator(caller, to);
  }
}

/** An archive cannot be undone, so a teacher closes no course with live enrollments. @throws `forbidden` */
export function requireMayArchive(caller: Pick<Caller, 'roles'>, course: { readonly enrollments_count: number }): void {
  if (course.enrollments_count > 0) requireAdministrator(caller, 'archive a course with enrollments');
}
