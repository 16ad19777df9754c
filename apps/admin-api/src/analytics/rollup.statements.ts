import { beginOf, BLOCKS, HOURS, QUARTERS } from './rollup.levels.js';
import type { Level } from './rollup.levels.js';
import { ATTENDANCE_SUMS, ENROLLMENT_SUMS, MEMBERSHIP_SUMS, SALES_SUMS } from './rollup.sums.js';

export type RollupName = 'sales' | 'enrollments' | 'memberships' | 'cohorts' | 'attendance';

/** Sums of amounts end at the largest exact integer of JSON. A larger one would stop the counting of all sites. */
const sumOf = (amount: string): string => `least(sum(${amount}), ${Number.MAX_SAFE_INTEGER})::bigint`;

/** The sites in `$1` and their quarters in `$2`. */
const MARKED = `marked as (select * from unnest($1::uuid[], $2::timestamptz[]) as m (site_id, quarter))`;

/**
 * The rows of marked quarters, found by an index for each of them: `offset 0` keeps the planner from comparing all rows
 * of a site with all of its marks.
 */
const rowsIn = (
  table: string,
  instant: string,
  lower = 'm.quarter',
  upper = `m.quarter + interval '15 minutes'`,
): string =>
  `cross join lateral (select * from ${table} r
     where r.site_id = m.site_id and r.${instant} >= ${lower} and r.${instant} < ${upper} offset 0)`;

const forget = (table: string, column: string): string =>
  `with ${MARKED} delete from ${table} r using marked m where r.site_id = m.site_id and r.${column} = m.quarter`;

/** UTC months of the marked quarters. */
const MONTHS = `${MARKED},
  months as (
    select distinct site_id, date_trunc('month', quarter, 'UTC') as month,
      (date_trunc('month', quarter at time zone 'UTC') + interval '1 month') at time zone 'UTC' as next_month
    from marked)`;

/** The statements that sum the times of marked quarters again. `key`: what the rows of one time are apart by. */
const byLevel = (
  level: Level,
  below: Level,
  table: string,
  key: readonly string[],
  sums: readonly string[],
): readonly string[] => {
  const { suffix, column, minutes } = level;
  const times = `${MARKED}, times as (select distinct site_id, ${beginOf(level, 'quarter')} as ${column} from marked)`;
  const group = [`m.site_id`, `m.${column}`, ...key.map((one) => `r.${one}`)];
  return [
    `with ${times} delete from ${table}${suffix} r using times m
     where r.site_id = m.site_id and r.${column} = m.${column}`,
    `with ${times}
     insert into ${table}${suffix} (${['site_id', column, ...key, ...sums].join(', ')})
     select ${[...group, ...sums.map((sum) => sumOf(`r.${sum}`))].join(', ')}
     from times m
     ${rowsIn(`${table}${below.suffix}`, below.column, `m.${column}`, `m.${column} + interval '${minutes} minutes'`)} r
     group by ${group.join(', ')}`,
  ];
};

/** The statements that sum marked quarters by hours, and these by blocks. */
const byHourAndBlock = (...rollup: readonly [table: string, key: readonly string[], sums: readonly string[]]) => [
  ...byLevel(HOURS, QUARTERS, ...rollup),
  ...byLevel(BLOCKS, HOURS, ...rollup),
];

/** The statements that count marked quarters again, by rollup. Each one reads them by an index. */
export const ROLLUPS: Readonly<Record<RollupName, readonly string[]>> = {
  sales: [
    forget('analytics_sales', 'quarter'),
    `with ${MARKED}, facts as (
       select m.site_id, m.quarter, o.currency, 1 as orders, o.total_minor as gross, o.discount_minor as discount,
         o.tax_minor as tax, 0 as refunds, 0::bigint as refunded
       from marked m ${rowsIn('orders', 'paid_at')} o
       union all
       select m.site_id, m.quarter, o.currency, 0, 0, 0, 0, 1, r.amount_minor
       from marked m
       ${rowsIn('order_refunds', 'refunded_at')} r
       join orders o on o.site_id = r.site_id and o.id = r.order_id)
     insert into analytics_sales (site_id, quarter, currency, ${SALES_SUMS.join(', ')})
     select site_id, quarter, currency, sum(orders), ${sumOf('gross')}, ${sumOf('discount')}, ${sumOf('tax')},
       sum(refunds), ${sumOf('refunded')}
     from facts group by site_id, quarter, currency`,
    ...byHourAndBlock('analytics_sales', ['currency'], SALES_SUMS),
  ],
  enrollments: [
    forget('analytics_enrollments', 'quarter'),
    `with ${MARKED}, facts as (
       select m.site_id, m.quarter, e.course_id, e.completed_at, e.has_begun or e.completed_at is not null as started
       from marked m ${rowsIn('enrollments', 'created_at')} e)
     insert into analytics_enrollments (site_id, course_id, quarter, ${ENROLLMENT_SUMS.join(', ')})
     select site_id, course_id, quarter, count(*), count(*) filter (where started), count(completed_at)
     from facts group by grouping sets ((site_id, quarter, course_id), (site_id, quarter))`,
    ...byHourAndBlock('analytics_enrollments', ['course_id'], ENROLLMENT_SUMS),
  ],
  memberships: [
    forget('analytics_memberships', 'quarter'),
    `with ${MARKED}, facts as (
       select m.site_id, m.quarter, s.price_currency as currency, 1 as starts, s.monthly_minor as started, 0 as ends,
         0::bigint as ended
       from marked m ${rowsIn('subscriptions', 'paying_from')} s
       union all
       select m.site_id, m.quarter, s.price_currency, 0, 0, 1, s.monthly_minor
       from marked m
       ${rowsIn('subscriptions', 'ended_at')} s
       where s.paying_from is not null)
     insert into analytics_memberships (site_id, quarter, currency, ${MEMBERSHIP_SUMS.join(', ')})
     select site_id, quarter, currency, sum(starts), ${sumOf('started')}, sum(ends), ${sumOf('ended')}
     from facts group by site_id, quarter, currency`,
    ...byHourAndBlock('analytics_memberships', ['currency'], MEMBERSHIP_SUMS),
    `with ${MONTHS} delete from analytics_membership_months r using months m
     where r.site_id = m.site_id and r.month = m.month`,
    `with ${MONTHS}
     insert into analytics_membership_months (site_id, month, currency, ${MEMBERSHIP_SUMS.join(', ')})
     select m.site_id, m.month, r.currency, ${MEMBERSHIP_SUMS.map((column) => sumOf(`r.${column}`)).join(', ')}
     from months m join analytics_memberships r on r.site_id = m.site_id
       and r.quarter >= m.month and r.quarter < m.next_month
     group by m.site_id, m.month, r.currency`,
  ],
  cohorts: [
    forget('analytics_cohorts', 'started'),
    // A quarter of an hour, or the inside of a month: see analytics_slot.
    `with ${MARKED}, ranges as (
       select site_id, quarter, at.inside,
         case when at.inside then at.month + interval '15 hours' else quarter end as lower,
         case when at.inside then (at.month at time zone 'UTC' + interval '1 month') at time zone 'UTC'
           - interval '15 hours' else quarter + interval '15 minutes' end as upper
       from marked, lateral (
         select date_trunc('month', quarter, 'UTC') as month,
           quarter = date_trunc('month', quarter, 'UTC') + interval '360 hours' as inside) at)
     insert into analytics_cohorts (site_id, started, ended, subscriptions_count)
     select m.site_id, m.quarter, coalesce(analytics_slot(s.ended_at), 'infinity'), count(*)
     from ranges m ${rowsIn('subscriptions', 'paying_from', 'm.lower', 'm.upper')} s
     group by 1, 2, 3`,
  ],
  attendance: [
    forget('analytics_attendance', 'quarter'),
    `with ${MARKED}
     insert into analytics_attendance (site_id, quarter, ${ATTENDANCE_SUMS.join(', ')})
     select m.site_id, m.quarter, count(distinct e.id), count(r.id) filter (where r.state not in ('waitlisted', 'canceled')),
       count(r.id) filter (where r.state = 'checked_in'), count(r.id) filter (where r.state = 'no_show'),
       count(r.id) filter (where r.state = 'waitlisted'), count(r.id) filter (where r.state = 'canceled')
     from marked m
     ${rowsIn('events', 'starts_at')} e
     left join event_registrations r on r.site_id = e.site_id and r.event_id = e.id
     where e.state in ('published', 'live', 'ended')
     group by m.site_id, m.quarter`,
    ...byHourAndBlock('analytics_attendance', [], ATTENDANCE_SUMS),
  ],
};
