import { summaryOf } from './activity.policy.js';

const CHANGE = { name: 'Mei Lin', action: 'course.updated', object_type: 'course', changed_fields: ['name'] };

it.each([
  [{}, 'Mei Lin updated a course (name)'],
  [{ action: 'curriculum.section_created', object_type: 'curriculum' }, 'Mei Lin created a section of a curriculum'],
  [{ action: 'course.loved' }, 'course.loved'],
])('describes a change with %j', (change, sentence) => {
  expect(summaryOf({ ...CHANGE, ...change })).toBe(sentence);
});
