import type { Scope } from '@lyceum/contracts';

interface PublicEventDeclaration {
  /** Scope that reads the object. Without it a caller does not see the event. */
  readonly scope: Scope;
  readonly description: string;
  /** Members of the data in which the example of the type differs from that of the object. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** The types of events that operators receive, in the feed of changes and by webhooks. */
export const PUBLIC_EVENTS = {
  'course.created': {
    scope: 'courses:read',
    description: 'A course was created',
    example: { state: 'draft', published_at: null },
  },
  'course.updated': { scope: 'courses:read', description: 'Fields of a course changed' },
  'course.published': { scope: 'courses:read', description: 'A course was published' },
  'course.unpublished': {
    scope: 'courses:read',
    description: 'A course was unpublished',
    example: { state: 'unpublished' },
  },
  'course.archived': { scope: 'courses:read', description: 'A course was archived', example: { state: 'archived' } },
  'course.deleted': {
    scope: 'courses:read',
    description: 'A course was deleted, with its plans and its curriculum',
    example: { state: 'deleted' },
  },
  'course_plan.deleted': { scope: 'courses:read', description: 'A plan of a course was deleted' },
  'category.deleted': { scope: 'courses:read', description: 'A category was deleted' },
  'consulting_service.deleted': { scope: 'courses:read', description: 'A consulting service was deleted' },
  'section.deleted': { scope: 'curriculum:read', description: 'A section without lectures was deleted' },
  'lecture.deleted': { scope: 'curriculum:read', description: 'A lecture was deleted' },
  'lecturer.deleted': { scope: 'lecturers:read', description: 'A lecturer was deleted' },
  'student.deleted': { scope: 'students:read', description: 'A student without history was deleted' },
  'enrollment.activated': { scope: 'students:read', description: 'A student got access to a course' },
  'enrollment.extended': {
    scope: 'students:read',
    description: 'The access of an enrollment changed its end',
    example: { expires_at: '2027-11-20T08:00:00.000Z' },
  },
  'enrollment.updated': {
    scope: 'students:read',
    description: 'The external id or the metadata of an enrollment changed',
  },
  'enrollment.progressed': { scope: 'students:read', description: 'The completion rate of an enrollment changed' },
  'enrollment.expired': {
    scope: 'students:read',
    description: 'The access of an enrollment expired',
    example: { state: 'expired', expires_at: '2026-11-20T08:00:00.000Z' },
  },
  'enrollment.revoked': {
    scope: 'students:read',
    description: 'The access of an enrollment was revoked',
    example: { state: 'revoked' },
  },
  'member.invited': { scope: 'members:read', description: 'A member was invited', example: { state: 'invited' } },
  'member.updated': { scope: 'members:read', description: 'The profile, the roles or the state of a member changed' },
  'member.suspended': {
    scope: 'members:read',
    description: 'The API or a tool suspended a member. A suspension on a page of the site is `member.updated` alone',
    example: { state: 'suspended' },
  },
  'member.reinstated': {
    scope: 'members:read',
    description: 'The API or a tool reinstated a suspended member. Otherwise it is `member.updated` alone',
  },
  'member.removed': {
    scope: 'members:read',
    description:
      'A member was removed, and their personal data erased. Or the member lost the last role, and keeps the data',
    example: { state: 'removed', roles: [] },
  },
  'order.paid': { scope: 'orders:read', description: 'An order was paid' },
  'order.refunded': {
    scope: 'orders:read',
    description: 'An order was refunded, in whole or in part',
    example: { state: 'refunded', refunded_minor: 150_000 },
  },
  'subscription.created': { scope: 'subscriptions:read', description: 'A subscription was created' },
  'subscription.activated': { scope: 'subscriptions:read', description: 'A subscription became active' },
  'subscription.renewed': { scope: 'subscriptions:read', description: 'A subscription was renewed for a period' },
  'subscription.past_due': {
    scope: 'subscriptions:read',
    description: 'A period ended without a renewal',
    example: { state: 'past_due' },
  },
  'subscription.extended': { scope: 'subscriptions:read', description: 'The current period got a later end' },
  'subscription.updated': { scope: 'subscriptions:read', description: 'Fields of a subscription changed' },
  'subscription.cancellation_scheduled': {
    scope: 'subscriptions:read',
    description: 'A subscription will end with its current period',
    example: { cancel_at_period_end: true },
  },
  'subscription.resumed': { scope: 'subscriptions:read', description: 'A scheduled cancellation was taken back' },
  'subscription.canceled': {
    scope: 'subscriptions:read',
    description: 'A subscription was canceled',
    example: { state: 'canceled', ended_at: '2026-11-20T08:00:00.000Z' },
  },
  'subscription.expired': {
    scope: 'subscriptions:read',
    description: 'A subscription ended',
    example: { state: 'expired', ended_at: '2026-12-20T08:00:00.000Z' },
  },
  'membership_plan.deleted': { scope: 'membership_plans:read', description: 'A membership plan was deleted' },
  'digital_product.deleted': {
    scope: 'digital_products:read',
    description: 'A digital product was deleted (reserved: not sent by this version)',
  },
  'coupon.redeemed': { scope: 'coupons:read', description: 'An order redeemed a coupon' },
  'coupon.deleted': { scope: 'coupons:read', description: 'A coupon was deleted', example: { redemption: null } },
  'event.created': { scope: 'events:read', description: 'An event was created', example: { state: 'draft' } },
  'event.updated': { scope: 'events:read', description: 'Fields of an event changed' },
  'event.published': { scope: 'events:read', description: 'An event was published' },
  'event.started': { scope: 'events:read', description: 'An event started', example: { state: 'live' } },
  'event.ended': { scope: 'events:read', description: 'An event ended', example: { state: 'ended' } },
  'event.canceled': {
    scope: 'events:read',
    description: 'An event was canceled, with its registrations',
    example: { state: 'canceled', canceled_at: '2026-11-20T08:00:00.000Z' },
  },
  'event.deleted': { scope: 'events:read', description: 'An event was deleted', example: { state: 'deleted' } },
  'event_registration.registered': { scope: 'events:read', description: 'A student was registered for an event' },
  'event_registration.waitlisted': {
    scope: 'events:read',
    description: 'A student was put on the waiting list',
    example: { state: 'waitlisted' },
  },
  'event_registration.checked_in': {
    scope: 'events:read',
    description: 'A registered student attended the event',
    example: { state: 'checked_in', checked_in_at: '2026-12-05T02:05:00.000Z' },
  },
  'event_registration.no_show': {
    scope: 'events:read',
    description: 'A registered student missed the event',
    example: { state: 'no_show' },
  },
  'event_registration.canceled': {
    scope: 'events:read',
    description: 'A registration was canceled',
    example: { state: 'canceled', canceled_at: '2026-11-20T08:00:00.000Z' },
  },
  'event_registration.updated': { scope: 'events:read', description: 'Fields of a registration changed' },
  'page.deleted': { scope: 'pages:read', description: 'A page was deleted, with its deployments' },
  'post.published': { scope: 'posts:read', description: 'A post was published' },
  'post.deleted': { scope: 'posts:read', description: 'A post was deleted', example: { state: 'deleted' } },
  'announcement.deleted': { scope: 'posts:read', description: 'An announcement was deleted' },
  'comment.created': { scope: 'comments:read', description: 'A comment was written' },
  'comment.approved': { scope: 'comments:read', description: 'A pending or hidden comment was approved' },
  'comment.hidden': { scope: 'comments:read', description: 'A comment was hidden', example: { state: 'hidden' } },
  'comment.deleted': { scope: 'comments:read', description: 'A comment was deleted', example: { state: 'deleted' } },
  'form.submitted': { scope: 'forms:read', description: 'A form was submitted; the object is the submission' },
} as const satisfies Readonly<Record<string, PublicEventDeclaration>>;

export type PublicEventType = keyof typeof PUBLIC_EVENTS;

/** Own members only. */
export function isPublicEventType(type: string): type is PublicEventType {
  return Object.hasOwn(PUBLIC_EVENTS, type);
}

/** The declaration of a type. */
export function declarationOf(type: PublicEventType): PublicEventDeclaration {
  return PUBLIC_EVENTS[type];
}

export const PUBLIC_EVENT_TYPES = Object.keys(PUBLIC_EVENTS) as [PublicEventType, ...PublicEventType[]];
