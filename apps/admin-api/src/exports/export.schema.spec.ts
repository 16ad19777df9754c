import { EXPORT_COLLECTIONS } from '@lyceum/contracts';
import { activity } from '#src/activity/activity.schema.js';
import { enrollment } from '#src/enrollments/enrollment.schema.js';
import { formSubmission } from '#src/form-submissions/form-submission.schema.js';
import { member } from '#src/members/member.schema.js';
import { order } from '#src/orders/order.schema.js';
import { progress } from '#src/progress/progress.schema.js';
import { student } from '#src/students/student.schema.js';
import { filters } from './export.schema.js';

const LISTS = { students: student, enrollments: enrollment, progress, orders: order, members: member };
const OBJECTS = { ...LISTS, activity, form_submissions: formSubmission };

it.each(Object.entries(OBJECTS))('filters an export of %s by all that its list filters by', (_collection, listed) => {
  const named = [...listed.filters, ...listed.ranges, ...(listed.search === undefined ? [] : ['q'])];
  expect(Object.keys(filters.shape)).toEqual(expect.arrayContaining(named));
  expect(named.length).toBeGreaterThan(0);
});

it('knows the lists of all collections but those of figures', () => {
  const others = EXPORT_COLLECTIONS.filter((name) => !name.startsWith('analytics_'));
  expect(Object.keys(OBJECTS).toSorted()).toEqual(others.toSorted());
});
