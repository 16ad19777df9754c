import { z } from 'zod';
import * as contracts from './index.js';
import {
  SYSTEM_ACTOR,
  announcementEvents,
  consultingBookingEvents,
  consultingPurchaseEvents,
  consultingServiceEvents,
  courseEvents,
  digitalProductEvents,
  digitalProductGrantEvents,
  enrollmentEvents,
  eventRegistrationEvents,
  eventEvents,
  roleEvents,
} from './index.js';
import { defineEntityEvents, eventEnvelopeSchema, eventType, republicationSubject } from './platform/event.js';
import type { EntityEvents } from './platform/event.js';

const isEntityEvents = (one: unknown): one is EntityEvents =>
  typeof one === 'object' && one !== null && 'entity' in one && 'names' in one;

const ALL = Object.values<unknown>(contracts).filter(isEntityEvents);

const ENVELOPE = {
  id: '0199f6a0-0000-7000-8000-000000000001',
  type: 'school.course.published.v1',
  aggregate_id: 'x',
  aggregate_version: 1,
  site_id: '0199f6a0-0000-7000-8000-000000000002',
  epoch: 1,
  actor: SYSTEM_ACTOR,
  occurred_at: '2026-11-20T22:00:00.000Z',
  data: {},
};

const ENROLLMENT = {
  enrollment_id: ENVELOPE.id,
  site_id: ENVELOPE.site_id,
  student_id: ENVELOPE.id,
  person_id: null,
  course_id: ENVELOPE.id,
  state: 'active',
  source: 'manual',
  started_at: ENVELOPE.occurred_at,
  expires_at: null,
  completion_rate: 0,
  completed_at: null,
};

/** NATS: `*` stands for exactly one token. */
function matches(filter: string, subject: string): boolean {
  const [pattern, tokens] = [filter.split('.'), subject.split('.')];
  return pattern.length === tokens.length && pattern.every((part, at) => part === '*' || part === tokens[at]);
}

describe('eventType', () => {
  it('contains context, entity, event and version', () => {
    expect(eventType(courseEvents, 'published')).toBe('school.course.published.v1');
    expect(eventType(roleEvents, 'changed')).toBe('identity.role.changed.v1');
  });

  it.each(ALL.map((events) => [`${events.context}.${events.entity}`, events] as const))(
    'matches the filter of %s, and no other',
    (_name, events) => {
      for (const name of events.names) {
        const subject = eventType(events, name);
        expect(ALL.filter((other) => matches(other.filter, subject))).toEqual([events]);
        expect(subject).toMatch(/^[a-z]+\.[a-z_]+\.[a-z_]+\.v\d+$/);
      }
    },
  );

  it('differs between versions', () => {
    const definition = { context: 'school', entity: 'course', names: ['created'], data: z.object({}) } as const;
    const second = defineEntityEvents({ ...definition, version: 2 });
    expect(second.filter).toBe('school.course.*.v2');
    expect(matches(courseEvents.filter, eventType(second, 'created'))).toBe(false);
  });
});

describe('an entity', () => {
  it.each(ALL.map((events) => [events.entity, events] as const))('defines a republished event: %s', (_name, events) => {
    expect(events.names).toContain('republished');
    expect(new Set(events.names).size).toBe(events.names.length);
  });

  it.each(ALL.map((events) => [events.entity, events] as const))(
    'shares no subject with the republication of %s',
    (_name, events) => {
      const subject = republicationSubject(events);
      expect(ALL.filter((other) => matches(other.filter, subject))).toEqual([]);
      expect(ALL.filter((other) => republicationSubject(other) === subject)).toEqual([events]);
    },
  );
});

describe('the envelope', () => {
  it('accepts an event, also one without a site', () => {
    expect(eventEnvelopeSchema.parse(ENVELOPE)).toEqual(ENVELOPE);
    expect(eventEnvelopeSchema.parse({ ...ENVELOPE, site_id: null }).site_id).toBeNull();
  });

  it.each([
    ['id', 'x'],
    ['aggregate_version', 0],
    ['aggregate_version', 1.5],
    ['epoch', undefined],
    ['epoch', 0],
    ['actor', undefined],
    ['actor', { ...SYSTEM_ACTOR, via: 'post' }],
    ['actor', { ...SYSTEM_ACTOR, member_id: 'x' }],
    ['site_id', undefined],
    ['site_id', 'x'],
    ['occurred_at', '2026-11-20'],
    ['occurred_at', '2026-11-20T22:00:00+01:00'],
  ])('rejects %s = %p', (name, value) => {
    expect(eventEnvelopeSchema.safeParse({ ...ENVELOPE, [name]: value }).success).toBe(false);
  });
});

describe('the data of an event', () => {
  const course = {
    course_id: ENVELOPE.id,
    site_id: ENVELOPE.site_id,
    external_id: 'course-7',
    slug: 'algebra',
    name: 'Algebra',
    subtitle: null,
    image_url: null,
    state: 'draft',
    published_at: null,
  };

  it('drops members of a newer sender, so that additions are compatible', () => {
    expect(courseEvents.data.parse({ ...course, added_later: true })).toEqual(course);
  });

  it('reads an event from before the key of operators', () => {
    const { external_id: _key, ...older } = course;
    expect(courseEvents.data.parse(older)).toEqual({ ...course, external_id: null });
  });

  it('rejects a state outside of the contract', () => {
    expect(courseEvents.data.safeParse({ ...course, state: 'hidden' }).success).toBe(false);
  });

  it.each([
    [0, true],
    [1, true],
    [-0.01, false],
    [1.01, false],
  ])('checks a completion rate of %p: %p', (completion_rate, accepted) => {
    expect(enrollmentEvents.data.safeParse({ ...ENROLLMENT, completion_rate }).success).toBe(accepted);
  });

  it.each([
    ['purchase', true],
    ['free', true],
    ['gift', false],
    [null, false],
    [undefined, false],
  ])('checks the source %p of an enrollment: %p', (source, accepted) => {
    expect(enrollmentEvents.data.safeParse({ ...ENROLLMENT, source }).success).toBe(accepted);
  });
});

/** Every key of a shape, at any depth. */
function keysOf(schema: z.ZodType): string[] {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }));
  return [...json.matchAll(/"([a-z_]+)":\{/g)].map(([, key = '']) => key);
}

describe('purchases', () => {
  it.each(
    [
      digitalProductGrantEvents,
      digitalProductEvents,
      consultingPurchaseEvents,
      consultingServiceEvents,
      consultingBookingEvents,
      eventRegistrationEvents,
      eventEvents,
      enrollmentEvents,
    ].map((events) => [events.entity, events] as const),
  )('contains no order data in %s', (_name, events) => {
    const keys = keysOf(events.data);
    expect(keys).toContain('site_id');
    expect(
      keys.filter((key) => /order|coupon|refund|invoice|price|payment|discount|amount|currency|tax/.test(key)),
    ).toEqual([]);
  });

  const product = {
    digital_product_id: ENVELOPE.id,
    site_id: ENVELOPE.site_id,
    slug: 'charts',
    name: 'Charts',
    description: null,
    image_url: null,
    state: 'published',
    download_limit: 1,
    files: [],
  };
  const file = { file_id: ENVELOPE.id, name: 'a', content_type: 'application/pdf', size_bytes: 0 };
  it.each([
    ['download_limit', 0],
    ['files', Array.from({ length: 101 }, () => file)],
  ])('rejects %s beyond its limit', (name, value) => {
    expect(digitalProductEvents.data.safeParse(product).success).toBe(true);
    expect(digitalProductEvents.data.safeParse({ ...product, [name]: value }).success).toBe(false);
  });
});

describe('a path in an event', () => {
  const announcement = {
    announcement_id: ENVELOPE.id,
    site_id: ENVELOPE.site_id,
    course_id: null,
    purpose: 'announcement',
    title: 'Closed on Monday',
    body: null,
    path: '/news',
    state: 'sent',
    sent_at: ENVELOPE.occurred_at,
  };

  it.each([
    ['/news', true],
    [null, true],
    ['https://elsewhere.example/', false],
    ['news', false],
  ])('checks %p: %p', (path, accepted) => {
    expect(announcementEvents.data.safeParse({ ...announcement, path }).success).toBe(accepted);
  });
});
