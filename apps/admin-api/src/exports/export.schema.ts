import { fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf } from '@lyceum/collections';
import {
  DATA_FORMATS,
  EXPORT_COLLECTIONS,
  EXPORT_STATES,
  ORDER_ITEM_TYPES,
  ORDER_STATES,
  SHARED_TYPES,
  memberStateSchema,
  roleSchema,
  sharedId,
} from '@lyceum/contracts';
import {
  currency,
  email,
  externalId,
  idIn,
  instantOut,
  instantText,
  multiline,
  searchText,
  tag,
  text,
  timezone,
} from '@lyceum/rest';
import { z } from 'zod';
import { rangeDate } from '#src/analytics/analytics.schema.js';
import { GRANULARITIES, MAX_DAYS } from '#src/analytics/periods.policy.js';
import { ENROLLMENT_SOURCES, ENROLLMENT_STATES } from '#src/enrollments/enrollment.policy.js';
import { STUDENT_STATES } from '#src/students/student.policy.js';
import { EXPORT_ERRORS } from './export.policy.js';

const EXAMPLE = {
  id: '019ab3c0-ef01-7b12-8d4e-5f6071829304',
  created_by: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  collection: 'enrollments',
  format: 'csv',
  filters: {
    state: 'active',
    email: null,
    external_id: null,
    q: null,
    student_id: null,
    form_id: null,
    course_id: null,
    plan_id: null,
    tag: null,
    has_begun: null,
    completed: null,
    number: null,
    source: null,
    currency: null,
    item_type: null,
    role: null,
    member_id: null,
    action: null,
    object_type: null,
    object_id: null,
    from: null,
    to: null,
    granularity: null,
    timezone: null,
    created_at: { gte: '2026-09-01T00:00:00.000Z', gt: null, lte: null, lt: null },
    updated_at: null,
    watched_at: null,
    paid_at: null,
    expires_at: null,
    completed_at: null,
    joined_at: null,
  },
  state: 'ready',
  error: null,
  rows_count: 1250,
  bytes: 481_204,
  expires_at: '2026-11-21T08:00:00.000Z',
  download_url: 'https://files.example.com/exports/019ab3c0?X-Amz-Signature=5d8a',
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const word = text(100);
const bound = instantText
  .transform((value) => new Date(value).toISOString())
  .nullable()
  .default(null);
const between = (what: string) =>
  z
    .strictObject({ gte: bound, gt: bound, lte: bound, lt: bound })
    .nullable()
    .default(null)
    .meta({ description: `Only objects whose ${what} is in this range` });
const only = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.nullable().default(null).meta({ description });

const STATES = [...new Set([...STUDENT_STATES, ...ENROLLMENT_STATES, ...ORDER_STATES, ...memberStateSchema.options])];

export const filters = z.strictObject({
  state: only(
    z.enum(STATES),
    'Students: active, removed. Enrollments: pending, active, expired, revoked. Orders: pending, paid, ' +
      'partially_refunded, refunded, failed, expired. Members: invited, active, suspended, removed',
  ),
  email: only(email, 'Students, members: exactly this e-mail address'),
  external_id: only(externalId, 'Students, enrollments, members: exactly this id in the system of the caller'),
  q: only(searchText, 'Students, members: words that all occur in the name or e-mail address'),
  student_id: only(idIn, 'Enrollments, progress, orders, form submissions: only those of this student'),
  form_id: only(idIn, 'Form submissions: those of this form, which an export of them needs'),
  course_id: only(idIn, 'Enrollments, progress, the funnel of analytics: only those in this course'),
  plan_id: only(idIn, 'Enrollments: only those by this plan of a course'),
  tag: only(tag, 'Students, members: only those with this tag'),
  has_begun: only(z.boolean(), 'Enrollments: only those whose student has watched a lecture, or has not begun'),
  completed: only(z.boolean(), 'Progress: only lectures that are completed, or only those that are not'),
  number: only(externalId, 'Orders: exactly this number'),
  source: only(
    multiline(40),
    `Orders: only those from this source. Enrollments: one of ${ENROLLMENT_SOURCES.join(', ')}`,
  ),
  currency: only(currency, 'Orders: only those in this currency'),
  item_type: only(z.enum(ORDER_ITEM_TYPES), 'Orders: only those with a line of this type'),
  role: only(roleSchema, 'Members: only those with this role'),
  member_id: only(idIn, 'Activity: only changes by this member'),
  action: only(word, 'Activity: only this action, such as `course.published`'),
  object_type: only(word, 'Activity: only changes of objects of this type'),
  object_id: only(sharedId(...SHARED_TYPES), 'Activity: only changes of this object'),
  from: only(rangeDate, 'Analytics: first day, such as 2026-11-01; null: 29 days before `to`'),
  to: only(rangeDate, `Analytics: last day; the range has at most ${MAX_DAYS} days; null: today in the time zone`),
  granularity: only(z.enum(GRANULARITIES), 'Analytics without cohorts: length of a period, which is a row; null: day'),
  timezone: only(timezone, 'Analytics: IANA time zone of the days; null: that of the school, or UTC'),
  created_at: between('creation'),
  updated_at: between('last change'),
  watched_at: between('instant of watching'),
  paid_at: between('payment'),
  expires_at: between('end of access'),
  completed_at: between('completion of the course'),
  joined_at: between('beginning of membership'),
});
export type ExportFilters = z.infer<typeof filters>;

export const exported = resource('Export', {
  one: 'export',
  fields: {
    created_by: readOnly(z.uuid().meta({ description: 'Member who asked for the export' })),
    collection: fixed(
      z
        .enum(EXPORT_COLLECTIONS)
        .meta({ description: 'Collection whose objects are exported, or a report of analytics whose figures are' }),
    ),
    format: fixed(
      z.enum(DATA_FORMATS).meta({
        description:
          'csv: RFC 4180 in UTF-8 with a line of names; jsonl: one object of the REST API, or row of analytics, on each ' +
          'line, in UTF-8',
      }),
    ),
    filters: fixed(
      filters.meta({
        description:
          'Filters of the list of the collection; {} exports all that the creator can read, and 30 days of analytics',
      }),
      {},
    ),
    state: readOnly(z.enum(EXPORT_STATES)),
    error: readOnly(
      z
        .enum(EXPORT_ERRORS)
        .nullable()
        .meta({
          description:
            'Why the export failed. forbidden: the creator can no longer read the collection; too_large: above 2 GB; ' +
            'internal: an unexpected error',
        }),
    ),
    rows_count: readOnly(z.int().min(0).meta({ description: 'Objects so far; of the file, once the export is ready' })),
    bytes: readOnly(z.int().min(0).meta({ description: 'Size so far; of the file, once the export is ready' })),
    expires_at: readOnly(instantOut.meta({ description: 'The export and its file are deleted then' })),
    download_url: readOnly(
      z
        .url()
        .nullable()
        .meta({ description: 'Link to the file, valid for 15 to 30 minutes; null unless the state is ready' }),
    ),
  },
  details: ['download_url'],
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  examples: {
    object: EXAMPLE,
    create: { collection: EXAMPLE.collection, format: EXAMPLE.format, filters: { state: 'active' } },
  },
});
export type ExportCreate = CreateOf<typeof exported>;
export type ExportListQuery = ListQueryOf<typeof exported>;
