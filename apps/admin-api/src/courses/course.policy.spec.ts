import { COURSE_STATES, requireEditable, transition } from './course.policy.js';
import type { CourseState, CourseTransition } from './course.policy.js';

const ALLOWED: Record<CourseTransition, Partial<Record<CourseState, CourseState>>> = {
  publish: { draft: 'published', unpublished: 'published' },
  unpublish: { published: 'unpublished' },
  archive: { unpublished: 'archived' },
};
const cases = (Object.keys(ALLOWED) as CourseTransition[]).flatMap((name) =>
  COURSE_STATES.map((state) => [name, state, ALLOWED[name][state]] as const),
);

it.each(cases)('moves by %s from %s to %s', (name, state, to) => {
  if (to === undefined)
    expect(() => transition(state, name)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  else expect(transition(state, name).to).toBe(to);
});

it.each(COURSE_STATES)('allows editing of a course that is %s unless it is archived', (state) => {
  if (state === 'archived')
    expect(() => requireEditable(state)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  else expect(() => requireEditable(state)).not.toThrow();
});
