import { TOPICS, topicRows } from './topics.policy.js';

const named = (rule: (topic: (typeof TOPICS)[keyof typeof TOPICS]) => boolean): string[] =>
  Object.entries(TOPICS).flatMap(([name, topic]) => (rule(topic) ? [name] : []));

it('advertising is asked for; everything else is told until somebody wants it no more', () => {
  expect(named(({ active }) => !active)).toEqual(['marketing']);
});

it('what a member has is said to them whatever they choose', () => {
  expect(named(({ transactional }) => transactional)).toEqual(['access', 'membership']);
});

it('the topics of courses can be set for each course', () => {
  expect(named(({ perCourse }) => perCourse)).toEqual(['course_update', 'new_lecture']);
});

it('writes a row of SQL for each topic', () => {
  expect(topicRows('t').match(/\('/g)).toHaveLength(Object.keys(TOPICS).length);
});
