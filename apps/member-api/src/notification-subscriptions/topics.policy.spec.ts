import { TOPICS } from './topics.policy.js';
import { topicRows } from './topics.statements.js';

const named = (rule: (topic: (typeof TOPICS)[keyof typeof TOPICS]) => boolean): string[] =>
  Object.entries(TOPICS).flatMap(([name, topic]) => (rule(topic) ? [name] : []));

it('makes advertising opt-in and all other topics opt-out', () => {
  expect(named(({ active }) => !active)).toEqual(['marketing']);
});

it('makes notifications of access, membership, registrations and bookings mandatory', () => {
  expect(named(({ transactional }) => transactional)).toEqual([
    'access',
    'membership',
    'event_change',
    'consulting_change',
  ]);
});

it('allows settings per course for the topics of courses', () => {
  expect(named(({ perCourse }) => perCourse)).toEqual(['course_update', 'new_lecture']);
});

it('writes a row of SQL for each topic', () => {
  expect(topicRows('t').match(/\('/g)).toHaveLength(Object.keys(TOPICS).length);
});

it('sends mails together for topics whose notifications are excerpts, none of them mandatory', () => {
  expect(named(({ digest }) => digest)).toEqual(['course_update', 'new_lecture', 'comment_reply']);
});
