import {
  announcementEvents,
  categoryEvents,
  commentEvents,
  consultingServiceEvents,
  couponEvents,
  courseEvents,
  coursePlanEvents,
  curriculumEvents,
  digitalProductEvents,
  enrollmentEvents,
  eventEvents,
  eventRegistrationEvents,
  formSubmissionEvents,
  lecturerEvents,
  memberEvents,
  membershipPlanEvents,
  orderEvents,
  pageEvents,
  postEvents,
  roleEvents,
  studentEvents,
  subscriptionEvents,
} from '@lyceum/contracts';
import type { DomainEvent, EntityEvents } from '@lyceum/contracts';
import type { z } from 'zod';
import type { PublicEvent } from './public-event.js';
import { PUBLIC_DATA, objectOf } from './public-event-data.js';
import { isPublicEventType } from './public-event-types.js';
import type { PublicEventType } from './public-event-types.js';

/** A public event with the course that its object belongs to, whose teachers see it. */
export interface RecordedEvent extends PublicEvent {
  readonly course_id: string | null;
}

/** How the events of an entity become public. */
interface Mapping<E extends EntityEvents = EntityEvents> {
  readonly events: E;
  /** The type that the event has if it is public. Default: entity and name. */
  readonly type?: (event: DomainEvent<z.output<E['data']>>, name: string) => string;
  /** Null: the event is about no single object, and not public. */
  readonly object: (data: z.output<E['data']>) => string | null;
  readonly course?: (data: z.output<E['data']>) => string | null;
  /** Members of the public data that the internal data names otherwise. */
  readonly data?: (data: z.output<E['data']>) => object;
}

/** Keeps the type of the events in the functions of a mapping, and not in the list. */
function map<E extends EntityEvents>(mapping: Mapping<E>): Mapping {
  return mapping;
}

function couponData({ redemption }: z.output<(typeof couponEvents)['data']>): object {
  if (redemption === null) return { redemption };
  const { redemption_id: id, discount_minor: amount_minor, currency, ...rest } = redemption;
  return { redemption: { ...rest, id, discount: { amount_minor, currency } } };
}

/** Names of registrations that are otherwise named as their states are in the API. */
const REGISTRATIONS: Readonly<Record<string, string>> = { attended: 'checked_in', missed: 'no_show' };

/** How `PUBLIC_ENTITIES` become public. The types say which events do: `republished` and `linked` do not. */
const OF_SCHOOL: readonly Mapping[] = [
  map({ events: announcementEvents, object: (data) => data.announcement_id }),
  map({ events: categoryEvents, object: (data) => data.category_id }),
  map({
    events: commentEvents,
    object: (data) => data.comment_id,
    course: (data) => data.course_id,
    data: ({ commentable: { type, id }, parent }) => ({
      commentable_type: type,
      commentable_id: id,
      parent_id: parent?.comment_id ?? null,
    }),
  }),
  map({ events: consultingServiceEvents, object: (data) => data.consulting_service_id }),
  map({ events: couponEvents, object: (data) => data.coupon_id, data: couponData }),
  map({ events: courseEvents, object: (data) => data.course_id, course: (data) => data.course_id }),
  map({ events: coursePlanEvents, object: (data) => data.plan_id, course: (data) => data.course_id }),
  map({
    events: curriculumEvents,
    // section_deleted: section.deleted
    type: (_event, name) => name.replace('_', '.'),
    object: (data) => data.part_id,
    course: (data) => data.course_id,
    data: ({ part_external_id: external_id }) => ({ external_id }),
  }),
  map({ events: digitalProductEvents, object: (data) => data.digital_product_id }),
  map({ events: enrollmentEvents, object: (data) => data.enrollment_id, course: (data) => data.course_id }),
  map({ events: eventEvents, object: (data) => data.event_id }),
  map({
    events: eventRegistrationEvents,
    type: (_event, name) => `event_registration.${REGISTRATIONS[name] ?? name}`,
    object: (data) => data.registration_id,
  }),
  map({
    events: formSubmissionEvents,
    type: (_event, name) => `form.${name}`,
    object: (data) => data.submission_id,
  }),
  map({ events: lecturerEvents, object: (data) => data.lecturer_id }),
  map({
    events: memberEvents,
    type: (_event, name) => (isOfIdentity(name) ? 'member.updated' : `member.${name}`),
    object: (data) => data.member_id,
  }),
  map({ events: membershipPlanEvents, object: (data) => data.membership_plan_id }),
  map({ events: orderEvents, object: (data) => data.order_id }),
  map({ events: pageEvents, object: (data) => data.page_id }),
  map({ events: postEvents, object: (data) => data.post_id }),
  map({ events: studentEvents, object: (data) => data.student_id, data: () => ({ external_id: null }) }),
  map({ events: subscriptionEvents, object: (data) => data.subscription_id }),
];

/** Changes of members that no operator made are events of identity alone. */
const OF_MEMBERS: Mapping = map({
  events: roleEvents,
  type: (event, name) => (name === 'changed' ? membershipType(event) : name),
  object: (data) => data.member_id,
});

/**
 * An operator's change is `member.updated` beside its own type. The transaction of the school can fail after that of
 * identity, so events of identity report invitations and removals.
 */
function membershipType({
  aggregate_version,
  data: { state, joined },
}: DomainEvent<z.output<(typeof roleEvents)['data']>>): PublicEventType {
  if (state === 'removed') return 'member.removed';
  // An older event does not say whether the person joined: the first one does.
  return state === 'invited' && (joined || aggregate_version === 1) ? 'member.invited' : 'member.updated';
}

function isOfIdentity(name: string): boolean {
  return name === 'removed' || name === 'invited';
}

const MAPPINGS = new Map([...OF_SCHOOL, OF_MEMBERS].map((mapping) => [entityOf(mapping.events), mapping]));

/** Returns the public event of an internal one; undefined for one that is not public. */
export function publicEventOf(event: DomainEvent): RecordedEvent | undefined {
  const { id, site_id, occurred_at, data } = event;
  const [context = '', entity = '', name = ''] = event.type.split('.');
  const mapping = MAPPINGS.get(entityOf({ context, entity }));
  if (mapping === undefined || site_id === null) return undefined;
  const type = mapping.type?.(event, name) ?? `${entity}.${name}`;
  const object_id = mapping.object(data);
  if (!isPublicEventType(type) || object_id === null) return undefined;
  return {
    id,
    site_id,
    type,
    object_id,
    course_id: mapping.course?.(data) ?? null,
    occurred_at: new Date(occurred_at),
    data: PUBLIC_DATA[objectOf(type)].schema.parse({ ...(data as object), ...mapping.data?.(data) }),
  };
}

function entityOf({ context, entity }: { readonly context: string; readonly entity: string }): string {
  return `${context}.${entity}`;
}
