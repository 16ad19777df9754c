import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { COURSE_PLAN_INTERVALS, COURSE_PLAN_TYPES } from '@lyceum/contracts';
import { externalId, idIn, instant, metadata, moneyIn, name } from '@lyceum/rest';
import { z } from 'zod';

/** Ten years. */
const MAX_ACCESS_DAYS = 3650;
const MAX_INTERVALS = 36;

const EXAMPLE = {
  id: '019ab3c0-cd80-7f90-8b2c-3d4e5f607182',
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  name: 'One year',
  plan_type: 'specific_length',
  price: { amount_minor: 150_000, currency: 'TWD' },
  interval: null,
  interval_count: null,
  access_days: 365,
  access_ends_at: null,
  position: 0,
  active: true,
  external_id: 'celestial-navigation-year',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const coursePlan = resource('CoursePlan', {
  one: 'plan',
  fields: {
    course_id: readOnly(z.uuid()),
    name: editable(name(200).meta({ description: 'Name that buyers read' })),
    plan_type: fixed(
      z.enum(COURSE_PLAN_TYPES).meta({
        description:
          'free: no other terms; one_time_purchase, pre_order, group_buy: `price`; subscription: `price`, `interval`, ' +
          '`interval_count`; fixed_date: `price`, `access_ends_at`; specific_length: `price`, `access_days`. A plan has ' +
          'the terms of its type and null for the others.',
      }),
    ),
    price: editable(
      moneyIn.nullable().meta({ description: 'In the currency of the school, if it has set one; null: free' }),
      null,
    ),
    interval: editable(
      z.enum(COURSE_PLAN_INTERVALS).nullable().meta({
        description: 'Unit of the period of a subscription, on the calendar of the time zone of the school',
      }),
      null,
    ),
    interval_count: editable(
      z.int().min(1).max(MAX_INTERVALS).nullable().meta({ description: 'Intervals from one payment to the next' }),
      null,
    ),
    access_days: editable(
      z.int().min(1).max(MAX_ACCESS_DAYS).nullable().meta({ description: 'Days of access from the start' }),
      null,
    ),
    access_ends_at: editable(instant.nullable().meta({ description: 'End of access of every buyer' }), null),
    position: editable(z.int().min(0).max(10_000).meta({ description: 'Place among the plans of the course' }), 0),
    active: editable(z.boolean().meta({ description: 'false: not for sale; access that was given stays' }), true),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  sorts: ['-created_at', '-updated_at', 'position', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: { course_id: idIn, active: z.boolean(), external_id: externalId },
  examples: {
    object: EXAMPLE,
    create: {
      name: EXAMPLE.name,
      plan_type: EXAMPLE.plan_type,
      price: EXAMPLE.price,
      access_days: EXAMPLE.access_days,
    },
    patch: { price: { amount_minor: 120_000 }, active: false },
  },
});
/** The body of a creation, with the id of the course. */
export const planOfCourse = coursePlan.create
  .extend({ course_id: idIn.meta({ description: 'Course of the plan; it never changes' }) })
  .meta({
    id: 'PlanOfCourseCreate',
    examples: [{ course_id: EXAMPLE.course_id, name: EXAMPLE.name, plan_type: 'free' }],
  });

export type CoursePlanCreate = CreateOf<typeof coursePlan>;
export type CoursePlanPatch = PatchOf<typeof coursePlan>;
export type CoursePlanListQuery = ListQueryOf<typeof coursePlan>;
