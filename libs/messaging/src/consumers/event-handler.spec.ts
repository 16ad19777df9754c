import { SYSTEM_ACTOR, courseEvents, enrollmentEvents } from '@lyceum/contracts';
import { UnreadableEvent, readEvent } from './event-handler.js';

const SUBJECT = 'school.course.updated.v1';
const event = {
  id: '018f3b1e-0000-7000-8000-000000000001',
  type: SUBJECT,
  aggregate_id: 'c1',
  aggregate_version: 1,
  site_id: null,
  epoch: 1,
  actor: SYSTEM_ACTOR,
  occurred_at: '2026-11-20T10:00:00.123Z',
  data: {
    course_id: '018f3b1e-0000-7000-8000-000000000001',
    site_id: '018f3b1e-0000-7000-8000-000000000002',
    external_id: null,
    slug: 'a',
    name: 'A',
    subtitle: null,
    image_url: null,
    state: 'draft',
    published_at: null,
  },
};
const read = (subject: string, body: object) =>
  readEvent([enrollmentEvents, courseEvents], subject, JSON.stringify(body));

test('parses an event with the schema of its entity', () => {
  expect(read(SUBJECT, event)).toEqual(event);
});

test('drops members that the schema does not name, which a newer writer may add', () => {
  expect(read(SUBJECT, { ...event, data: { ...event.data, price: 12 }, extra: true })).toEqual(event);
});

test('accepts an event name that this build does not define', () => {
  const type = 'school.course.translated.v1';
  expect(read(type, { ...event, type }).type).toBe(type);
});

test.each([
  ['another entity', 'school.page.updated.v1', event],
  ['another version', 'school.course.updated.v2', { ...event, type: 'school.course.updated.v2' }],
  ['a type that is not the subject', 'school.course.created.v1', event],
  ['no version of the aggregate', SUBJECT, { ...event, aggregate_version: 0 }],
  ['data that does not fit', SUBJECT, { ...event, data: { ...event.data, state: 'lost' } }],
])('rejects %s', (_what, subject, body) => {
  expect(() => read(subject, body)).toThrow(UnreadableEvent);
});

test('rejects a body that is not JSON', () => {
  expect(() => readEvent([courseEvents], SUBJECT, 'no')).toThrow(UnreadableEvent);
});
