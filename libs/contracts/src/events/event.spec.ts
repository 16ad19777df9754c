import { z } from 'zod';
import { courseEvents, enrollmentEvents, personEvents, roleEvents, siteEvents, studentEvents } from '../index.js';
import { defineEntityEvents, eventEnvelopeSchema, eventType } from './event.js';
import type { EntityEvents } from './event.js';

const ALL: readonly EntityEvents[] = [
  siteEvents,
  personEvents,
  roleEvents,
  courseEvents,
  studentEvents,
  enrollmentEvents,
];

const ENVELOPE = {
  id: '0199f6a0-0000-7000-8000-000000000001',
  type: 'school.course.published.v1',
  aggregate_id: 'x',
  aggregate_version: 1,
  site_id: '0199f6a0-0000-7000-8000-000000000002',
  occurred_at: '2026-11-20T22:00:00.000Z',
  data: {},
};

/** NATS: `*` stands for exactly one token. */
function matches(filter: string, subject: string): boolean {
  const [pattern, tokens] = [filter.split('.'), subject.split('.')];
  return pattern.length === tokens.length && pattern.every((part, at) => part === '*' || part === tokens[at]);
}

describe('the type of an event', () => {
  it('is context, entity, event and version', () => {
    expect(eventType(courseEvents, 'published')).toBe('school.course.published.v1');
    expect(eventType(roleEvents, 'changed')).toBe('identity.role.changed.v1');
  });

  it.each(ALL.map((events) => [`${events.context}.${events.entity}`, events] as const))(
    'is matched by the filter of %s, and by no other',
    (_name, events) => {
      for (const name of events.names) {
        const subject = eventType(events, name);
        expect(ALL.filter((other) => matches(other.filter, subject))).toEqual([events]);
        expect(subject).toMatch(/^[a-z]+\.[a-z_]+\.[a-z]+\.v\d+$/);
      }
    },
  );

  it('is another one for the next version', () => {
    const definition = { context: 'school', entity: 'course', names: ['created'], data: z.object({}) } as const;
    const second = defineEntityEvents({ ...definition, version: 2 });
    expect(second.filter).toBe('school.course.*.v2');
    expect(matches(courseEvents.filter, eventType(second, 'created'))).toBe(false);
  });
});

describe('an entity', () => {
  it.each(ALL.map((events) => [events.entity, events] as const))('%s can be sent again', (_name, events) => {
    expect(events.names).toContain('republished');
    expect(new Set(events.names).size).toBe(events.names.length);
  });
});

describe('the envelope', () => {
  it('takes an event as it is, also one of no site', () => {
    expect(eventEnvelopeSchema.parse(ENVELOPE)).toEqual(ENVELOPE);
    expect(eventEnvelopeSchema.parse({ ...ENVELOPE, site_id: null }).site_id).toBeNull();
  });

  it.each([
    ['id', 'x'],
    ['aggregate_version', 0],
    ['aggregate_version', 1.5],
    ['site_id', undefined],
    ['site_id', 'x'],
    ['occurred_at', '2026-11-20'],
    ['occurred_at', '2026-11-20T22:00:00+01:00'],
  ])('refuses %s = %p', (name, value) => {
    expect(eventEnvelopeSchema.safeParse({ ...ENVELOPE, [name]: value }).success).toBe(false);
  });
});

describe('the data of an event', () => {
  const course = {
    course_id: ENVELOPE.id,
    site_id: ENVELOPE.site_id,
    slug: 'algebra',
    name: 'Algebra',
    subtitle: null,
    image_url: null,
    state: 'draft',
    published_at: null,
  };

  it('drops what a newer sender adds, so that adding is no break', () => {
    expect(courseEvents.data.parse({ ...course, added_later: true })).toEqual(course);
  });

  it('refuses a state that nobody agreed on', () => {
    expect(courseEvents.data.safeParse({ ...course, state: 'hidden' }).success).toBe(false);
  });

  it.each([
    [0, true],
    [1, true],
    [-0.01, false],
    [1.01, false],
  ])('a completion rate of %p: %p', (completion_rate, accepted) => {
    const enrollment = {
      enrollment_id: ENVELOPE.id,
      site_id: ENVELOPE.site_id,
      student_id: ENVELOPE.id,
      person_id: null,
      course_id: ENVELOPE.id,
      state: 'active',
      source: 'manual',
      started_at: ENVELOPE.occurred_at,
      expires_at: null,
      completion_rate,
      completed_at: null,
    };
    expect(enrollmentEvents.data.safeParse(enrollment).success).toBe(accepted);
  });
});
