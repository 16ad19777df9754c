import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of the rollups by hour, for reports of long ranges (ADR 105). */
export class AnalyticsHours1764000258000 implements MigrationInterface {
  name = 'AnalyticsHours1764000258000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#tables(runner);
    for (const [table, key, sums] of LEVELS) {
      await runner.query(`
        insert into ${table}_hours (site_id, hour, ${[...key, ...sums].join(', ')})
        select site_id, date_trunc('hour', quarter, 'UTC'), ${[...key, ...sums.map(sumOf)].join(', ')}
        from ${table} group by ${['site_id', '2', ...key].join(', ')} order by 1, 2
      `);
    }
    await runner.query(markAll(MARKED_HOURS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(markAll(''));
    await runner.query(`
      drop table analytics_sales_hours, analytics_enrollments_hours, analytics_memberships_hours,
        analytics_attendance_hours
    `);
  }

  async #tables(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table analytics_sales_hours (
        site_id uuid not null,
        -- Start of an hour of UTC, as in all tables of hours
        hour timestamptz(3) not null,
        currency text not null,
        orders_count bigint not null,
        gross_minor bigint not null,
        discount_minor bigint not null,
        tax_minor bigint not null,
        refunds_count bigint not null,
        refunded_minor bigint not null,
        -- the sales of a range
        primary key (site_id, hour, currency)
      );

      create table analytics_enrollments_hours (
        site_id uuid not null,
        -- null: all courses
        course_id uuid,
        hour timestamptz(3) not null,
        enrolled_count bigint not null,
        started_count bigint not null,
        completed_count bigint not null,
        -- the funnel of a range, of a course or of all; its sums spare the rows of courses between those of all
        unique nulls not distinct (site_id, course_id, hour) include (enrolled_count, started_count, completed_count)
      );
      -- the rows of an hour that is counted again
      create index analytics_enrollments_hours_hour on analytics_enrollments_hours (site_id, hour);

      create table analytics_memberships_hours (
        site_id uuid not null,
        hour timestamptz(3) not null,
        currency text not null,
        started_count bigint not null,
        started_minor bigint not null,
        ended_count bigint not null,
        ended_minor bigint not null,
        -- the starts and ends of a range
        primary key (site_id, hour, currency)
      );

      create table analytics_attendance_hours (
        site_id uuid not null,
        hour timestamptz(3) not null,
        events_count bigint not null,
        registered_count bigint not null,
        attended_count bigint not null,
        missed_count bigint not null,
        waitlisted_count bigint not null,
        canceled_count bigint not null,
        -- the attendance of a range
        primary key (site_id, hour)
      );
    `);
  }
}

/** Tables of quarters of an hour, what their rows are apart by, and their sums. */
export const LEVELS: readonly (readonly [table: string, key: readonly string[], sums: readonly string[]])[] = [
  [
    'analytics_sales',
    ['currency'],
    ['orders_count', 'gross_minor', 'discount_minor', 'tax_minor', 'refunds_count', 'refunded_minor'],
  ],
  ['analytics_enrollments', ['course_id'], ['enrolled_count', 'started_count', 'completed_count']],
  ['analytics_memberships', ['currency'], ['started_count', 'started_minor', 'ended_count', 'ended_minor']],
  [
    'analytics_attendance',
    [],
    ['events_count', 'registered_count', 'attended_count', 'missed_count', 'waitlisted_count', 'canceled_count'],
  ],
];

export const sumOf = (column: string): string => `least(sum(${column}), ${Number.MAX_SAFE_INTEGER})`;

/** Quarters to mark beside those of rows and figures. */
export const MARKED_HOURS = `
          union select site_id, 'sales', hour from analytics_sales_hours
          union select site_id, 'enrollments', hour from analytics_enrollments_hours
          union select site_id, 'memberships', hour from analytics_memberships_hours
          union select site_id, 'attendance', hour from analytics_attendance_hours`;

export const markAll = (more: string): string => `
  create or replace function analytics_mark_all() returns bigint language sql as $$
        with marked as (
          insert into analytics_marks (site_id, rollup, quarter)
          select site_id, 'sales', analytics_quarter(paid_at) from orders where paid_at is not null
          union select site_id, 'sales', analytics_quarter(refunded_at) from order_refunds
          union select site_id, 'enrollments', analytics_quarter(created_at) from enrollments
          union select site_id, 'memberships', analytics_quarter(paying_from) from subscriptions
            where paying_from is not null
          union select site_id, 'memberships', analytics_quarter(ended_at) from subscriptions
            where paying_from is not null and ended_at is not null
          union select site_id, 'cohorts', analytics_slot(paying_from) from subscriptions where paying_from is not null
          union select site_id, 'attendance', analytics_quarter(starts_at) from events
          union select site_id, 'sales', quarter from analytics_sales
          union select site_id, 'enrollments', quarter from analytics_enrollments
          union select site_id, 'memberships', quarter from analytics_memberships
          union select site_id, 'cohorts', started from analytics_cohorts
          union select site_id, 'attendance', quarter from analytics_attendance${more}
          returning 1)
        select count(*) from marked $$;
    `;
