import { COURSE_STATES, requireEditable } from './course.policy.js';

it.each(COURSE_STATES)('allows editing of a course that is %s unless it is archived', (state) => {
  if (state === 'archived')
    expect(() => requireEditable(state)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  else expect(() => requireEditable(state)).not.toThrow();
});
