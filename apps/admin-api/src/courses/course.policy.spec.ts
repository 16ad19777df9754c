import type { Role } from '@lyceum/contracts';
import { COURSE_STATES, requireEditable, requireMayArchive, requireMayChange } from './course.policy.js';

const TEACHER: { roles: Role[] } = { roles: ['lecturer'] };
const FORBIDDEN = expect.objectContaining({ code: 'forbidden' });

it.each(COURSE_STATES)('allows editing of a course that is %s unless it is archived', (state) => {
  if (state === 'archived')
    expect(() => requireEditable(state)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  else expect(() => requireEditable(state)).not.toThrow();
});

it('allows a change of the categories alone of an archived course', () => {
  expect(() => requireEditable('archived', { category_ids: [] })).not.toThrow();
  for (const patch of [{ name: 'Oil' }, { category_ids: [], name: 'Oil' }])
    expect(() => requireEditable('archived', patch)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

it.each([{ lecturer_ids: [] }, { course_type: 'public_access' }, { featured: false }])(
  'refuses a teacher who changes %j, and no admin',
  (changes) => {
    expect(() => requireMayChange(TEACHER, changes)).toThrow(FORBIDDEN);
    expect(() => requireMayChange({ roles: ['admin', 'lecturer'] }, changes)).not.toThrow();
  },
);

it('lets a teacher change the contents of a course', () => {
  expect(() => requireMayChange(TEACHER, { name: 'Oil', hidden: true, tags: [] } as object)).not.toThrow();
});

it('lets a teacher archive a course without enrollments only', () => {
  expect(() => requireMayArchive(TEACHER, { enrollments_count: 0 })).not.toThrow();
  expect(() => requireMayArchive(TEACHER, { enrollments_count: 1 })).toThrow(FORBIDDEN);
  expect(() => requireMayArchive({ roles: ['owner'] }, { enrollments_count: 1 })).not.toThrow();
});
