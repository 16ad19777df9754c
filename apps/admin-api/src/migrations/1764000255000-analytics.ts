import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rollups of sales, enrollments, subscriptions and attendance (ADR 101). */
export class Analytics1764000255000 implements MigrationInterface {
  name = 'Analytics1764000255000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#subscriptions(runner);
    await this.#rollups(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table analytics_sales, analytics_enrollments, analytics_memberships,
        analytics_membership_months, analytics_cohorts, analytics_attendance;
      drop function analytics_slot(timestamptz), analytics_quarter(timestamptz);
      drop index order_refunds_by_instant, enrollments_analytics, subscriptions_paying, subscriptions_ended;
      drop trigger subscriptions_price on subscriptions;
      drop function subscription_price();
      alter table subscriptions drop column paying_from, drop column monthly_minor,
        drop column price_amount_minor, drop column price_currency;
    `);
  }

  async #subscriptions(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table subscriptions
        -- Of the price when it began: the price of a plan may change. Null: the price is gone
        add column price_amount_minor bigint,
        add column price_currency text;
      update subscriptions s set price_amount_minor = p.price_amount_minor, price_currency = p.price_currency
      from membership_plan_prices p where p.site_id = s.site_id and p.id = s.price_id;
      alter table subscriptions
        -- Price of a month, rounded half up. A year has 12 months and 365 days
        add column monthly_minor bigint generated always as (
          case billing_interval
            when 'day' then (730 * price_amount_minor + 12 * interval_count::bigint) / (24 * interval_count::bigint)
            when 'week' then (730 * price_amount_minor + 84 * interval_count::bigint) / (168 * interval_count::bigint)
            when 'month' then (2 * price_amount_minor + interval_count) / (2 * interval_count::bigint)
            when 'year' then (2 * price_amount_minor + 12 * interval_count::bigint) / (24 * interval_count::bigint)
          end) stored,
        -- Start of the first paid period of a recurring subscription. Null: it has none
        add column paying_from timestamptz(3) generated always as (
          case
            when plan_type <> 'recurring' or billing_interval is null or price_amount_minor is null then null
            when trial_ends_at is not null and current_period_end <= trial_ends_at then null
            when ended_at <= coalesce(trial_ends_at, started_at) then null
            else coalesce(trial_ends_at, started_at)
          end) stored;
      create function subscription_price() returns trigger language plpgsql as $$
      begin
        select p.price_amount_minor, p.price_currency into new.price_amount_minor, new.price_currency
        from membership_plan_prices p where p.site_id = new.site_id and p.id = new.price_id;
        return new;
      end $$;
      create trigger subscriptions_price before insert on subscriptions
        for each row execute function subscription_price();
      -- analytics: subscriptions by the start of their first paid period
      create index subscriptions_paying on subscriptions (site_id, paying_from) where paying_from is not null;
      -- analytics: subscriptions by their end
      create index subscriptions_ended on subscriptions (site_id, ended_at)
        where ended_at is not null;
      -- analytics: refunds by the day of the refund
      create index order_refunds_by_instant on order_refunds (site_id, refunded_at);
      -- analytics: enrollments of a quarter of an hour
      create index enrollments_analytics on enrollments (site_id, created_at) include (course_id, id, completed_at);
    `);
  }

  async #rollups(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function analytics_quarter(instant timestamptz) returns timestamptz language sql immutable
        return date_bin('15 minutes', instant, timestamptz '2000-01-01T00:00:00Z');
      -- The month of an instant, as exact as any time zone needs: around the ends of a month of UTC its quarter of an
      -- hour, and else the middle of the month, because no zone is more than 15 hours away from UTC
      create function analytics_slot(instant timestamptz) returns timestamptz language sql stable
        return case
          when date_trunc('month', instant - interval '15 hours', 'UTC')
             = date_trunc('month', instant + interval '15 hours', 'UTC')
          then date_trunc('month', instant, 'UTC') + interval '360 hours'
          else analytics_quarter(instant) end;

      create table analytics_sales (
        site_id uuid not null,
        -- Start of a quarter of an hour, as in all rollups
        quarter timestamptz(3) not null,
        currency text not null,
        orders_count bigint not null,
        gross_minor bigint not null,
        discount_minor bigint not null,
        tax_minor bigint not null,
        refunds_count bigint not null,
        refunded_minor bigint not null,
        -- the sales of a range
        primary key (site_id, quarter, currency)
      );

      create table analytics_enrollments (
        site_id uuid not null,
        -- null: all courses
        course_id uuid,
        -- When the students were enrolled
        quarter timestamptz(3) not null,
        enrolled_count bigint not null,
        -- Of them, up to now
        started_count bigint not null,
        completed_count bigint not null,
        -- the funnel of a range, of a course or of all
        unique nulls not distinct (site_id, course_id, quarter)
      );
      -- the rows of a quarter that is counted again
      create index analytics_enrollments_quarter on analytics_enrollments (site_id, quarter);

      create table analytics_memberships (
        site_id uuid not null,
        quarter timestamptz(3) not null,
        currency text not null,
        started_count bigint not null,
        started_minor bigint not null,
        ended_count bigint not null,
        ended_minor bigint not null,
        -- the starts and ends of a range
        primary key (site_id, quarter, currency)
      );
      -- Sums of analytics_memberships by month of UTC
      create table analytics_membership_months (
        site_id uuid not null,
        month timestamptz(3) not null,
        currency text not null,
        started_count bigint not null,
        started_minor bigint not null,
        ended_count bigint not null,
        ended_minor bigint not null,
        -- the subscriptions at the start of a range
        primary key (site_id, month, currency)
      );

      create table analytics_cohorts (
        site_id uuid not null,
        -- Slots of the start and the end; infinity: not ended
        started timestamptz(3) not null,
        ended timestamptz(3) not null,
        subscriptions_count bigint not null,
        -- the cohorts of a range
        primary key (site_id, started, ended)
      );

      create table analytics_attendance (
        site_id uuid not null,
        -- When the events start
        quarter timestamptz(3) not null,
        events_count bigint not null,
        registered_count bigint not null,
        attended_count bigint not null,
        missed_count bigint not null,
        waitlisted_count bigint not null,
        canceled_count bigint not null,
        -- the attendance of a range
        primary key (site_id, quarter)
      );
    `);
  }
}
