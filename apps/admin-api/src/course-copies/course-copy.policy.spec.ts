import { COURSE_NAME_LENGTH } from '#src/courses/course.schema.js';
import { copyName } from './course-copy.policy.js';

it.each([
  ['Watercolor', 'Watercolor (copy)'],
  ['Watercolor (copy)', 'Watercolor (copy) (copy)'],
  ['x'.repeat(COURSE_NAME_LENGTH), `${'x'.repeat(COURSE_NAME_LENGTH - 7)} (copy)`],
  [`${'x'.repeat(COURSE_NAME_LENGTH - 8)} y`, `${'x'.repeat(COURSE_NAME_LENGTH - 8)} (copy)`],
  [`${'x'.repeat(COURSE_NAME_LENGTH - 8)}\u{1F3A8}`, `${'x'.repeat(COURSE_NAME_LENGTH - 8)} (copy)`],
])('names the copy of %j %j', (name, copy) => {
  expect(copyName(name)).toBe(copy);
});
