import { amount, idIn, instantOut, money, timezone } from '@lyceum/rest';
import { z } from 'zod';
import { COMPARISONS, GRANULARITIES, MAX_DAYS } from './periods.policy.js';

/** The rollups have quarters of an hour, and the clocks of all zones differ by such quarters since 1972. */
const FIRST = '2000-01-01';
const LAST = '2100-12-31';

/** First or last day of a range. */
export const rangeDate = z.iso
  .date()
  .refine((value) => value >= FIRST, `Not before ${FIRST}`)
  .refine((value) => value <= LAST, `Not after ${LAST}`);

const granularityOr = (otherwise: (typeof GRANULARITIES)[number]) =>
  z
    .enum(GRANULARITIES)
    .default(otherwise)
    .meta({ description: 'Length of a period. Weeks begin on Monday; the range cuts its first and last period' });

const compareOr = (otherwise: (typeof COMPARISONS)[number]) =>
  z.enum(COMPARISONS).default(otherwise).meta({
    description:
      'previous_period: adds the totals of as many days directly before `from`, in the same time zone, as `previous`',
  });

const range = {
  from: rangeDate.optional().meta({ description: 'First day, such as 2026-11-01. Default: 29 days before `to`' }),
  to: rangeDate
    .optional()
    .meta({ description: `Last day; the range has at most ${MAX_DAYS} days. Default: today in the time zone` }),
  granularity: granularityOr('day'),
  compare: compareOr('none'),
  timezone: timezone
    .optional()
    .meta({ description: 'IANA time zone of the days, such as Asia/Taipei. Default: that of the school, or UTC' }),
};
const course_id = idIn.optional().meta({ description: 'Only enrollments in this course' });

export const analyticsQuery = z.strictObject(range);
export const funnelQuery = z.strictObject({ ...range, course_id });

const count = (description: string) => z.int().min(0).meta({ description });
const rate = (description: string) =>
  z
    .number()
    .min(0)
    .nullable()
    .meta({ description: `${description}; null: of 0` });
const day = (description: string) => z.iso.date().meta({ description });

const sales = z
  .array(
    z.object({
      currency: z.string().meta({ description: 'ISO 4217. Amounts are minor units of it' }),
      orders_count: count('Orders that were paid in the period'),
      gross_minor: amount.meta({ description: 'Their totals: with discount and tax, before refunds' }),
      discount_minor: amount.meta({ description: 'Their discounts' }),
      tax_minor: amount.meta({ description: 'Their tax' }),
      refunds_count: count('Refunds that took place in the period, whole and partial'),
      refunded_minor: amount.meta({ description: 'Amounts of these refunds, whenever their orders were paid' }),
      net_minor: z
        .int()
        .meta({ description: '`gross_minor` less `refunded_minor`; negative: more refunds than sales' }),
    }),
  )
  .meta({ description: 'By currency' });

const funnel = z.object({
  enrolled_count: count('Enrollments that were made in the period'),
  started_count: count('Of them: those with progress in a lecture by now'),
  completed_count: count('Of them: those whose course is completed by now'),
  start_rate: rate('Started ÷ enrolled'),
  completion_rate: rate('Completed ÷ enrolled'),
});

const memberships = z.object({
  active_at_start_count: count('Active subscriptions at the start of the period'),
  started_count: count('Subscriptions whose first paid period starts in the period'),
  ended_count: count('Active subscriptions that ended in the period'),
  active_count: count('Active subscriptions at the end of the period'),
  churn_rate: rate('Ended ÷ active at the start'),
  mrr: z.array(money).meta({ description: 'Monthly recurring revenue at the end of the period, by currency' }),
});

const attendance = z.object({
  events_count: count('Events that start in the period, without drafts and canceled ones'),
  registered_count: count('Their registrations that have a place'),
  attended_count: count('Of them: checked in'),
  missed_count: count('Of them: marked as no-show'),
  waitlisted_count: count('Registrations on their waiting lists'),
  canceled_count: count('Their canceled registrations'),
  attendance_rate: rate('Attended ÷ registered'),
});

const cohorts = z
  .array(
    z.object({
      month: z.string().meta({ description: 'Month in which they started, such as 2026-11' }),
      started_count: z.int().min(0),
      active_counts: z
        .array(z.int().min(0))
        .meta({ description: 'Active at the end of this month, of the next one, …' }),
    }),
  )
  .meta({ description: 'Subscriptions by the month of their first paid period, for each month of the range' });

const SECTIONS = { sales, funnel, memberships, attendance } as const;
type SectionName = keyof typeof SECTIONS;

/** The sections of each report. */
export const REPORTS = {
  overview: ['sales', 'funnel', 'memberships', 'attendance'],
  revenue: ['sales'],
  funnel: ['funnel'],
  memberships: ['memberships'],
  attendance: ['attendance'],
} as const satisfies Record<string, readonly SectionName[]>;
export type ReportName = keyof typeof REPORTS;

const head = {
  from: day('First day'),
  to: day('Last day'),
  granularity: z.enum(GRANULARITIES),
  timezone: z.string(),
  as_of: instantOut.meta({ description: 'All changes until then are counted' }),
};

function report(name: string, sections: readonly SectionName[], example: object, more: z.ZodRawShape = {}) {
  const shape = Object.fromEntries(sections.map((section) => [section, SECTIONS[section]]));
  return z
    .object({
      ...head,
      totals: z.object(shape).meta({ description: 'The whole range' }),
      previous: z
        .object({ from: day('First day'), to: day('Last day'), totals: z.object(shape) })
        .optional()
        .meta({ description: 'The range before; only with `compare=previous_period`' }),
      periods: z.array(z.object({ from: day('First day'), to: day('Last day'), ...shape })),
      ...more,
    })
    .meta({ id: name, examples: [example] });
}

const ASKED = { from: '2026-11-01', to: '2026-11-30' };
const example = (figures: object, more: object = {}): object => ({
  ...ASKED,
  granularity: 'month',
  timezone: 'Asia/Taipei',
  as_of: '2026-12-01T08:00:00.000Z',
  totals: figures,
  periods: [{ ...ASKED, ...figures }],
  ...more,
});
const FIGURES = {
  sales: [
    {
      currency: 'TWD',
      orders_count: 42,
      gross_minor: 6_300_000,
      discount_minor: 150_000,
      tax_minor: 300_000,
      refunds_count: 1,
      refunded_minor: 150_000,
      net_minor: 6_150_000,
    },
  ],
  funnel: { enrolled_count: 40, started_count: 30, completed_count: 10, start_rate: 0.75, completion_rate: 0.25 },
  memberships: {
    active_at_start_count: 100,
    started_count: 12,
    ended_count: 2,
    active_count: 110,
    churn_rate: 0.02,
    mrr: [{ amount_minor: 3_300_000, currency: 'TWD' }],
  },
  attendance: {
    events_count: 2,
    registered_count: 50,
    attended_count: 40,
    missed_count: 10,
    waitlisted_count: 3,
    canceled_count: 1,
    attendance_rate: 0.8,
  },
};

export const REPORT_SCHEMAS: Readonly<Record<ReportName, z.ZodObject>> = {
  overview: report('AnalyticsOverview', REPORTS.overview, example(FIGURES)),
  revenue: report('AnalyticsRevenue', REPORTS.revenue, example({ sales: FIGURES.sales })),
  funnel: report('AnalyticsFunnel', REPORTS.funnel, example({ funnel: FIGURES.funnel })),
  memberships: report(
    'AnalyticsMemberships',
    REPORTS.memberships,
    example(
      { memberships: FIGURES.memberships },
      { cohorts: [{ month: '2026-11', started_count: 12, active_counts: [11] }] },
    ),
    { cohorts },
  ),
  attendance: report('AnalyticsAttendance', REPORTS.attendance, example({ attendance: FIGURES.attendance })),
};

const parts = z.object(SECTIONS).partial();

/** All reports in one: the tool shows the sections of the one that a model names. */
export const reportInput = z.object({
  report: z
    .enum(Object.keys(REPORTS) as [ReportName, ...ReportName[]])
    .default('overview')
    .describe('revenue: sales and refunds; funnel: enrolled, started, completed; memberships: MRR, churn, cohorts'),
  ...range,
  granularity: granularityOr('month'),
  compare: compareOr('previous_period'),
  course_id: course_id.describe('For the report funnel: only this course'),
});
export const reportOutput = z.object({
  ...head,
  totals: parts,
  previous: z.object({ from: z.iso.date(), to: z.iso.date(), totals: parts }).optional(),
  periods: z.array(parts.extend({ from: z.iso.date(), to: z.iso.date() })),
  cohorts: cohorts.optional(),
});

export type AnalyticsQuery = z.output<typeof funnelQuery>;
