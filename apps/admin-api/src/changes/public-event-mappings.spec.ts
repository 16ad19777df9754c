import { PUBLIC_ENTITIES, SYSTEM_ACTOR, eventType, memberEvents, roleEvents } from '@lyceum/contracts';
import type { DomainEvent, EventActor } from '@lyceum/contracts';
import { z } from 'zod';
import { surface } from '#src/surface.js';
import { publicEventOf } from './public-event-mappings.js';
import { PUBLIC_DATA } from './public-event-data.js';
import { PUBLIC_EVENTS, PUBLIC_EVENT_TYPES, isPublicEventType } from './public-event-types.js';

const SITE = '0199f6a0-0000-7000-8000-000000000002';
const ID = '0199f6a0-0000-7000-8000-000000000003';
const COURSE = '0199f6a0-0000-7000-8000-000000000004';
const AT = '2026-11-20T22:00:00.000Z';

const COMMENTED = { commentable: { type: 'course', id: COURSE } };

const eventOf = (type: string, data: object, more: Partial<DomainEvent> = {}): DomainEvent => ({
  id: '0199f6a0-0000-7000-8000-000000000001',
  type,
  aggregate_id: ID,
  aggregate_version: 1,
  site_id: SITE,
  epoch: 1,
  actor: SYSTEM_ACTOR,
  occurred_at: AT,
  data,
  ...more,
});

const role = { member_id: ID, state: 'active', roles: ['student'], email: 'mei@example.com', name: 'Mei Lin' };

const typeOf = (data: object, more: Partial<DomainEvent>): string | undefined =>
  publicEventOf(eventOf('identity.role.changed.v1', { ...role, ...data }, more))?.type;

it('reaches each public type from an event, and republishes none', () => {
  const reached = Object.values(PUBLIC_ENTITIES)
    .flat()
    .flatMap((events) => {
      const { data } = events;
      const ids = data instanceof z.ZodObject ? Object.keys(data.shape).filter((name) => name.endsWith('_id')) : [];
      const examples: Readonly<Record<string, { readonly example: object }>> = PUBLIC_DATA;
      const whole = {
        ...Object.fromEntries(ids.map((name) => [name, ID])),
        parent: null,
        redemption: null,
        ...COMMENTED,
      };
      const object = events.entity === 'form_submission' ? 'form' : events.entity;
      const known = { ...whole, ...examples[object]?.example, ...(events.entity === 'coupon' && whole) };
      return events.names.flatMap((name) => publicEventOf(eventOf(eventType(events, name), known))?.type ?? []);
    });
  const ofRoles = ['invited', 'removed'].flatMap((state) => typeOf({ state }, {}) ?? []);
  expect([...new Set([...reached, ...ofRoles])].toSorted()).toEqual(PUBLIC_EVENT_TYPES.toSorted());
});

/** Deletions without a type of their own, each with the reason. */
const NO_TOMBSTONE: Readonly<Record<string, string>> = {
  deletePlanOfCourse: 'another path of deleteCoursePlan',
  deleteEventTicket: 'a part of its event: event.updated (ADR 93)',
  deleteEventTicketById: 'another path of deleteEventTicket',
  deleteWebhookEndpoint: 'a setting of a receiver, no object of the school',
};

it('maps each deletion of the document to a tombstone', () => {
  const deletions = surface.routes.filter(({ method }) => method === 'delete').map(({ operation }) => operation.id);
  expect(deletions.length).toBeGreaterThan(15);
  const objectIn = (id: string): string =>
    id
      .replace('delete', '')
      .replaceAll(/\B[A-Z]/g, '_$&')
      .toLowerCase();
  const without = deletions.filter((id) => !isPublicEventType(`${objectIn(id)}.deleted`));
  expect(without.toSorted()).toEqual(Object.keys(NO_TOMBSTONE).toSorted());
});

it('shows of a deleted student no more than the state', () => {
  const student = {
    student_id: ID,
    site_id: SITE,
    person_id: COURSE,
    email: 'mei@example.com',
    name: '',
    locale: null,
    state: 'removed',
    send_welcome_email: false,
  };
  const tombstone = publicEventOf(eventOf('school.student.deleted.v1', student));
  expect(tombstone).toMatchObject({ type: 'student.deleted', object_id: ID, course_id: null });
  expect(tombstone?.data).toEqual({ external_id: null, state: 'removed' });
  expect(publicEventOf(eventOf('school.student.updated.v1', student))).toBeUndefined();
});

it('shows the members of the API and nothing about people', () => {
  const enrollment = {
    enrollment_id: ID,
    site_id: SITE,
    external_id: 'seat-17',
    student_id: COURSE,
    person_id: COURSE,
    course_id: COURSE,
    plan_id: null,
    state: 'active',
    source: 'manual',
    started_at: AT,
    expires_at: null,
    completion_rate: 0,
    completed_at: null,
  };
  const { enrollment_id: _id, site_id: _site, person_id: _person, ...data } = enrollment;
  expect(publicEventOf(eventOf('school.enrollment.activated.v1', enrollment))).toEqual({
    id: '0199f6a0-0000-7000-8000-000000000001',
    site_id: SITE,
    type: 'enrollment.activated',
    object_id: ID,
    course_id: COURSE,
    occurred_at: new Date(AT),
    data,
  });
  const members = Object.values(PUBLIC_DATA).flatMap(({ schema }) => Object.keys(schema.shape));
  expect(members).toContain('student_id');
  expect(members.filter((name) => /person|email|phone|author|buyer|site_id|join_url|body|excerpt/.test(name))).toEqual(
    [],
  );
});

it('names the key of operators for each object that has one but members, whose removal erases it', () => {
  const keyed = Object.entries(PUBLIC_DATA).flatMap(([object, { schema }]) =>
    'external_id' in schema.shape ? object : [],
  );
  expect(keyed.toSorted()).toEqual([
    'announcement',
    'category',
    'consulting_service',
    'coupon',
    'course',
    'course_plan',
    'digital_product',
    'enrollment',
    'event',
    'event_registration',
    'lecture',
    'lecturer',
    'membership_plan',
    'page',
    'post',
    'section',
    // Null in its only event.
    'student',
    'subscription',
  ]);
});

it.each([
  ['crm-7', 'crm-7'],
  [null, null],
  [undefined, null],
])('shows the key %p of an object as %p', (external_id, shown) => {
  const category = { category_id: ID, slug: 'painting', external_id };
  expect(publicEventOf(eventOf('school.category.deleted.v1', category))?.data).toEqual({
    slug: 'painting',
    external_id: shown,
  });
});

it.each(['linked', 'republished'])('hides %s events', (name) => {
  expect(
    publicEventOf(eventOf(`school.enrollment.${name}.v1`, { enrollment_id: ID, course_id: COURSE })),
  ).toBeUndefined();
});

it.each([
  ['section_deleted', ID, 'section.deleted'],
  ['lecture_deleted', ID, 'lecture.deleted'],
  ['lecture_updated', ID, undefined],
  ['section_deleted', null, undefined],
  ['deleted', null, undefined],
])('names a curriculum event %s of the part %p %p', (name, part_id, type) => {
  const part = { part_id, part_external_id: 'part-1' };
  const event = publicEventOf(eventOf(`school.curriculum.${name}.v1`, { course_id: COURSE, ...part, sections: [] }));
  expect(event?.type).toBe(type);
  if (type !== undefined)
    expect(event).toMatchObject({
      object_id: ID,
      course_id: COURSE,
      data: { course_id: COURSE, external_id: 'part-1' },
    });
});

it.each([
  ['attended', 'event_registration.checked_in'],
  ['missed', 'event_registration.no_show'],
  ['canceled', 'event_registration.canceled'],
])('names a registration that was %s as the API names its state', (name, type) => {
  const data = {
    registration_id: ID,
    external_id: 'badge-1',
    student_id: COURSE,
    event_id: COURSE,
    ticket_id: null,
    state: 'canceled',
    registered_at: AT,
    checked_in_at: null,
    canceled_at: AT,
  };
  const { registration_id: _id, ...shown } = data;
  expect(publicEventOf(eventOf(`school.event_registration.${name}.v1`, data))).toMatchObject({ type, data: shown });
});

it('names the redemption of a coupon as the API does', () => {
  const redemption = { order_id: ID, student_id: COURSE, redeemed_at: AT };
  const event = eventOf('school.coupon.redeemed.v1', {
    coupon_id: ID,
    external_id: null,
    name: 'Spring',
    code: 'SPRING',
    redemption: { ...redemption, redemption_id: COURSE, discount_minor: 100, currency: 'TWD' },
  });
  expect(publicEventOf(event)?.data).toEqual({
    external_id: null,
    code: 'SPRING',
    redemption: { ...redemption, id: COURSE, discount: { amount_minor: 100, currency: 'TWD' } },
  });
});

describe('a membership', () => {
  const operator: EventActor = { member_id: COURSE, client_id: 'office', via: 'rest', request_id: null };

  it.each(['invited', 'removed'] as const)(
    'names an event of the school that a member was %s an update, beside that of identity',
    (name) => {
      const { type } = publicEventOf(eventOf(eventType(memberEvents, name), { ...role, member_id: ID })) ?? {};
      expect(type).toBe('member.updated');
    },
  );

  it.each<[string, object, Partial<DomainEvent>, string]>([
    ['a new invited member', { state: 'invited' }, {}, 'member.invited'],
    ['an invited member later', { state: 'invited' }, { aggregate_version: 2 }, 'member.updated'],
    ['an active member', {}, { aggregate_version: 2 }, 'member.updated'],
    ['a member whom a page suspended', { state: 'suspended' }, { aggregate_version: 2 }, 'member.updated'],
    ['a removed member', { state: 'removed' }, { aggregate_version: 2 }, 'member.removed'],
    ['a member whom an operator removed', { state: 'removed' }, { actor: operator }, 'member.removed'],
    ['a member whom an operator invited', { state: 'invited' }, { actor: operator }, 'member.invited'],
    ['a member who returns', { state: 'invited', joined: true }, { aggregate_version: 7 }, 'member.invited'],
  ])('names the event of %s', (_name, data, more, type) => {
    expect(typeOf(data, more)).toBe(type);
  });

  it.each(['member.suspended', 'member.reinstated'] as const)('says what reports a change without %s', (type) => {
    expect(PUBLIC_EVENTS[type].description).toContain('`member.updated`');
  });

  it('hides a membership before it has an id, or when it is republished', () => {
    expect(typeOf({ member_id: null }, {})).toBeUndefined();
    expect(publicEventOf(eventOf(eventType(roleEvents, 'republished'), role))).toBeUndefined();
  });

  it('shows no name and no address', () => {
    expect(publicEventOf(eventOf('identity.role.changed.v1', role))?.data).toEqual({
      state: 'active',
      roles: ['student'],
    });
  });
});
