import {
  COMMENTABLE_TYPES,
  announcementEvents,
  categoryEvents,
  commentEvents,
  consultingServiceEvents,
  couponEvents,
  courseEvents,
  coursePlanEvents,
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
  studentEvents,
  subscriptionEvents,
} from '@lyceum/contracts';
import { instantOut, money } from '@lyceum/rest';
import { z } from 'zod';
import { declarationOf } from './public-event-types.js';
import type { PublicEventType } from './public-event-types.js';

/** Objects of public events: the first word of their types. */
export type PublicObject = PublicEventType extends `${infer Name}.${string}` ? Name : never;

interface PublicData {
  readonly schema: z.ZodObject;
  readonly example: object;
}

const INSTANT = '2026-11-20T08:00:00.000Z';
const ID = '019ab3c0-9f3c-7b60-8f51-4c3d2e1f0a9b';
const OF_COURSE: PublicData = {
  schema: coursePlanEvents.data.pick({ external_id: true, course_id: true }),
  example: { external_id: null, course_id: '019ab3c0-1b2c-7d3e-8f4a-5b6c7d8e9f01' },
};
const SLUG = { external_id: true, slug: true } as const;

/**
 * The data of public events, by object: members that the API shows with the scope of the object, and that the internal
 * event has. They have no names, addresses or texts of people, so the removal of a member leaves them.
 */
export const PUBLIC_DATA: Readonly<Record<PublicObject, PublicData>> = {
  course: {
    schema: courseEvents.data.pick({
      external_id: true,
      slug: true,
      name: true,
      subtitle: true,
      state: true,
      published_at: true,
    }),
    example: {
      external_id: 'celestial-navigation',
      slug: 'celestial-navigation',
      name: 'Celestial Navigation',
      subtitle: 'Find your place by the stars',
      state: 'published',
      published_at: INSTANT,
    },
  },
  course_plan: OF_COURSE,
  category: {
    schema: categoryEvents.data.pick(SLUG),
    example: { external_id: 'category-navigation', slug: 'navigation' },
  },
  consulting_service: {
    schema: consultingServiceEvents.data.pick(SLUG),
    example: { external_id: 'one-to-one', slug: 'one-to-one' },
  },
  section: OF_COURSE,
  lecture: OF_COURSE,
  lecturer: { schema: lecturerEvents.data.pick({ external_id: true }), example: { external_id: null } },
  student: {
    schema: studentEvents.data.pick({ state: true }).extend({ external_id: z.null() }),
    example: { external_id: null, state: 'removed' },
  },
  enrollment: {
    schema: enrollmentEvents.data.pick({
      external_id: true,
      student_id: true,
      course_id: true,
      plan_id: true,
      state: true,
      source: true,
      started_at: true,
      expires_at: true,
      completion_rate: true,
      completed_at: true,
    }),
    example: {
      external_id: null,
      student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
      course_id: '019ab3c0-1b2c-7d3e-8f4a-5b6c7d8e9f01',
      plan_id: null,
      state: 'active',
      source: 'manual',
      started_at: INSTANT,
      expires_at: null,
      completion_rate: 0.25,
      completed_at: null,
    },
  },
  member: {
    schema: memberEvents.data.pick({ state: true, roles: true }),
    example: { state: 'active', roles: ['lecturer'] },
  },
  order: {
    schema: orderEvents.data.pick({
      number: true,
      student_id: true,
      state: true,
      currency: true,
      total_minor: true,
      refunded_minor: true,
      paid_at: true,
    }),
    example: {
      number: 'harbour-1001',
      student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
      state: 'paid',
      currency: 'TWD',
      total_minor: 150_000,
      refunded_minor: 0,
      paid_at: INSTANT,
    },
  },
  subscription: {
    schema: subscriptionEvents.data.pick({
      external_id: true,
      student_id: true,
      plan_id: true,
      price_id: true,
      state: true,
      trial_ends_at: true,
      current_period_end: true,
      cancel_at_period_end: true,
      ended_at: true,
    }),
    example: {
      external_id: null,
      student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
      plan_id: ID,
      price_id: ID,
      state: 'active',
      trial_ends_at: null,
      current_period_end: '2026-12-20T08:00:00.000Z',
      cancel_at_period_end: false,
      ended_at: null,
    },
  },
  membership_plan: {
    schema: membershipPlanEvents.data.pick(SLUG),
    example: { external_id: 'all-courses', slug: 'all-courses' },
  },
  digital_product: {
    schema: digitalProductEvents.data.pick(SLUG),
    example: { external_id: 'workbook', slug: 'workbook' },
  },
  coupon: {
    schema: couponEvents.data.pick({ external_id: true, code: true }).extend({
      redemption: z
        .object({
          id: z.uuid(),
          order_id: z.uuid(),
          student_id: z.uuid(),
          discount: money,
          redeemed_at: instantOut,
        })
        .nullable()
        .meta({ description: 'The redemption, of `coupon.redeemed`; otherwise null' }),
    }),
    example: {
      external_id: 'coupon-welcome',
      code: 'WELCOME10',
      redemption: {
        id: '019ab3d0-8d80-7b82-9d93-ae04f1506600',
        order_id: '019ab3d0-9e90-7c93-8ea4-bf15f2617700',
        student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
        discount: { amount_minor: 25_000, currency: 'TWD' },
        redeemed_at: INSTANT,
      },
    },
  },
  event: {
    schema: eventEvents.data.pick({
      external_id: true,
      slug: true,
      name: true,
      hosting_type: true,
      starts_at: true,
      ends_at: true,
      timezone: true,
      state: true,
      canceled_at: true,
    }),
    example: {
      external_id: 'open-evening',
      slug: 'open-evening',
      name: 'Open evening',
      hosting_type: 'in_person',
      starts_at: '2026-12-05T02:00:00.000Z',
      ends_at: '2026-12-05T05:00:00.000Z',
      timezone: 'Asia/Taipei',
      state: 'published',
      canceled_at: null,
    },
  },
  event_registration: {
    schema: eventRegistrationEvents.data.pick({
      external_id: true,
      student_id: true,
      event_id: true,
      ticket_id: true,
      state: true,
      registered_at: true,
      checked_in_at: true,
      canceled_at: true,
    }),
    example: {
      external_id: null,
      student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
      event_id: ID,
      ticket_id: null,
      state: 'registered',
      registered_at: INSTANT,
      checked_in_at: null,
      canceled_at: null,
    },
  },
  page: { schema: pageEvents.data.pick(SLUG), example: { external_id: 'about', slug: 'about' } },
  post: {
    schema: postEvents.data.pick({
      external_id: true,
      course_id: true,
      slug: true,
      title: true,
      state: true,
      published_at: true,
    }),
    example: {
      external_id: 'post-welcome',
      course_id: null,
      slug: 'welcome',
      title: 'Welcome to the school',
      state: 'published',
      published_at: INSTANT,
    },
  },
  announcement: { schema: announcementEvents.data.pick({ external_id: true }), example: { external_id: null } },
  comment: {
    schema: commentEvents.data.pick({ student_id: true, state: true, posted_at: true }).extend({
      commentable_type: z.enum(COMMENTABLE_TYPES),
      commentable_id: z.uuid(),
      parent_id: z.uuid().nullable().meta({ description: 'The comment that it replies to' }),
    }),
    example: {
      student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
      state: 'visible',
      posted_at: INSTANT,
      commentable_type: 'lecture',
      commentable_id: ID,
      parent_id: null,
    },
  },
  form: {
    schema: formSubmissionEvents.data.pick({ form_id: true, student_id: true, submitted_at: true }),
    example: { form_id: ID, student_id: null, submitted_at: INSTANT },
  },
};

/** The same schemas as components of the OpenAPI document. */
const COMPONENTS = Object.fromEntries(
  Object.entries(PUBLIC_DATA).map(([object, { schema, example }]) => [
    object,
    schema.meta({ id: `${pascal(object)}ChangeData`, examples: [example] }),
  ]),
) as Readonly<Record<PublicObject, z.ZodObject>>;

export const objectOf = (type: PublicEventType): PublicObject => type.split('.')[0] as PublicObject;

/** The data of the events of an object, as a component. */
export const dataOf = (object: PublicObject): z.ZodObject => COMPONENTS[object];

/** Data that an event of the type can have. */
export function exampleOf(type: PublicEventType): object {
  return { ...PUBLIC_DATA[objectOf(type)].example, ...declarationOf(type).example };
}

/** `OrderPaid` of `order.paid`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
