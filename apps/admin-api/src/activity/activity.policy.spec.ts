import { summaryOf } from './activity.policy.js';

it.each([
  ['course.created', 'course', [], 'Mei Lin created a course'],
  ['course.updated', 'course', ['name', 'lecturer_ids'], 'Mei Lin updated a course (name, lecturer ids)'],
  ['course.updated', 'course', [], 'Mei Lin updated a course'],
  ['course.published', 'course', ['state', 'published_at'], 'Mei Lin published a course'],
  ['enrollment.activated', 'enrollment', [], 'Mei Lin activated an enrollment'],
  ['digital_product.archived', 'digital_product', ['state'], 'Mei Lin archived a digital product'],
  ['appearance.updated', 'appearance', ['theme'], 'Mei Lin updated the appearance of the site (theme)'],
  ['school.updated', 'school', ['name'], 'Mei Lin updated the settings of the school (name)'],
  ['progress.recorded', 'progress', [], 'Mei Lin recorded the progress of a student'],
])('describes %s of %s with %j', (action, object_type, changed_fields, sentence) => {
  expect(summaryOf({ name: 'Mei Lin', action, object_type, changed_fields })).toBe(sentence);
});

it('describes a change of a member without a known name', () => {
  const entry = { name: null, action: 'course.deleted', object_type: 'course', changed_fields: [] };
  expect(summaryOf(entry)).toBe('An unknown member deleted a course');
});
