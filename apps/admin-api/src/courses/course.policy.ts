import { ApiError } from '@lyceum/errors';

export const COURSE_STATES = ['draft', 'published', 'unpublished', 'archived'] as const;
export type CourseState = (typeof COURSE_STATES)[number];

export const COURSE_TYPES = ['paid', 'public_access', 'free_redeem', 'pre_order'] as const;
export type CourseType = (typeof COURSE_TYPES)[number];

/** draft → published ⇄ unpublished → archived */
const TRANSITIONS = {
  publish: { from: ['draft', 'unpublished'], to: 'published', event: 'published' },
  unpublish: { from: ['published'], to: 'unpublished', event: 'unpublished' },
  archive: { from: ['unpublished'], to: 'archived', event: 'archived' },
} as const satisfies Record<string, { from: readonly CourseState[]; to: CourseState; event: CourseState }>;

export type CourseTransition = keyof typeof TRANSITIONS;

/** The state after a transition, and its event. */
export function transition(state: CourseState, name: CourseTransition): (typeof TRANSITIONS)[CourseTransition] {
  const rule = TRANSITIONS[name];
  if ((rule.from as readonly CourseState[]).includes(state)) return rule;
  throw new ApiError('invalid_state', `A course that is ${state} cannot be changed by ${name}`, {
    hint: `${name} works from: ${rule.from.join(', ')}`,
  });
}

/** Keeps the time of the first publication. */
export function publishedAt(course: { readonly published_at: Date | null }, to: CourseState, now: Date): Date | null {
  return to === 'published' ? (course.published_at ?? now) : course.published_at;
}

/** An archived course cannot be edited. */
export function requireEditable(state: CourseState): void {
  if (state === 'archived') throw new ApiError('invalid_state', 'An archived course cannot be changed');
}

/**
 * An operator may enroll any student in a course that is not archived. Schools prepare a cohort before publication;
 * readers show the course once it is published.
 */
export function requireOpenForEnrollment(state: CourseState): void {
  if (state === 'archived') throw new ApiError('invalid_state', 'Students cannot be enrolled in an archived course');
}
