import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks of what the rollups have to count again, and the triggers that write them (ADR 101). */
export class AnalyticsMarks1764000255001 implements MigrationInterface {
  name = 'AnalyticsMarks1764000255001';

  async up(runner: QueryRunner): Promise<void> {
    await this.#marks(runner);
    await this.#markAll(runner);
    await runner.query('select analytics_mark_all()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger analytics_insert on orders;
      drop trigger analytics_update on orders;
      drop trigger analytics_insert on order_refunds;
      drop trigger analytics_insert on enrollments;
      drop trigger analytics_update on enrollments;
      drop trigger analytics_insert on progress;
      drop trigger analytics_insert on subscriptions;
      drop trigger analytics_update on subscriptions;
      drop trigger analytics_insert on event_registrations;
      drop trigger analytics_update on event_registrations;
      drop trigger analytics_insert on events;
      drop trigger analytics_update on events;
      drop function analytics_mark_all(), analytics_orders(), analytics_order(), analytics_refunds(),
        analytics_enrollments(), analytics_enrollment(), analytics_progress(), analytics_subscription(),
        analytics_registrations(), analytics_event();
      drop table analytics_marks;
    `);
  }

  async #marks(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Quarters whose rows have changed since they were counted. Each change inserts a mark and waits for no other
      create table analytics_marks (
        site_id uuid not null,
        marked_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
        id bigint generated always as identity,
        rollup text not null check (rollup in ('sales', 'enrollments', 'memberships', 'cohorts', 'attendance')),
        quarter timestamptz(3) not null,
        -- the first mark of a site
        primary key (site_id, marked_at, id)
      );
      -- the next marks, of all sites
      create index analytics_marks_next on analytics_marks (id);

      create function analytics_orders() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct site_id, 'sales', analytics_quarter(paid_at) from changed where paid_at is not null;
        return null;
      end $$;
      create trigger analytics_insert after insert on orders referencing new table as changed
        for each statement execute function analytics_orders();
      create function analytics_order() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select new.site_id, 'sales', analytics_quarter(at) from unnest(array[old.paid_at, new.paid_at]) at
        where at is not null;
        return null;
      end $$;
      create trigger analytics_update after update on orders for each row
        when ((old.paid_at, old.total_minor) is distinct from (new.paid_at, new.total_minor))
        execute function analytics_order();

      create function analytics_refunds() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct site_id, 'sales', analytics_quarter(refunded_at) from changed;
        return null;
      end $$;
      create trigger analytics_insert after insert on order_refunds referencing new table as changed
        for each statement execute function analytics_refunds();

      create function analytics_enrollments() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct site_id, 'enrollments', analytics_quarter(created_at) from changed;
        return null;
      end $$;
      create trigger analytics_insert after insert on enrollments referencing new table as changed
        for each statement execute function analytics_enrollments();
      create function analytics_enrollment() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        values (new.site_id, 'enrollments', analytics_quarter(new.created_at));
        return null;
      end $$;
      create trigger analytics_update after update on enrollments for each row
        when (old.completed_at is distinct from new.completed_at) execute function analytics_enrollment();
      create function analytics_progress() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct e.site_id, 'enrollments', analytics_quarter(e.created_at)
        from changed c join enrollments e on e.site_id = c.site_id and e.id = c.enrollment_id;
        return null;
      end $$;
      create trigger analytics_insert after insert on progress referencing new table as changed
        for each statement execute function analytics_progress();

      create function analytics_subscription() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select new.site_id, 'memberships', analytics_quarter(at)
        from unnest(array[old.paying_from, new.paying_from, old.ended_at, new.ended_at]) at where at is not null
        union
        select new.site_id, 'cohorts', analytics_slot(at)
        from unnest(array[old.paying_from, new.paying_from]) at where at is not null;
        return null;
      end $$;
      create trigger analytics_insert after insert on subscriptions for each row
        when (new.paying_from is not null) execute function analytics_subscription();
      create trigger analytics_update after update on subscriptions for each row
        when ((old.paying_from, old.ended_at) is distinct from (new.paying_from, new.ended_at))
        execute function analytics_subscription();

      create function analytics_registrations() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct e.site_id, 'attendance', analytics_quarter(e.starts_at)
        from changed c join events e on e.site_id = c.site_id and e.id = c.event_id;
        return null;
      end $$;
      create trigger analytics_insert after insert on event_registrations referencing new table as changed
        for each statement execute function analytics_registrations();
      create trigger analytics_update after update on event_registrations referencing new table as changed
        for each statement execute function analytics_registrations();
      create function analytics_event() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct new.site_id, 'attendance', analytics_quarter(at)
        from unnest(array[old.starts_at, new.starts_at]) at where at is not null;
        return null;
      end $$;
      create trigger analytics_insert after insert on events for each row
        when (new.state <> 'draft') execute function analytics_event();
      create trigger analytics_update after update on events for each row
        when ((old.state, old.starts_at) is distinct from (new.state, new.starts_at))
        execute function analytics_event();
    `);
  }

  /** One function for this migration and for the command `rebuild-analytics`. */
  async #markAll(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function analytics_mark_all() returns bigint language sql as $$
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
          union select site_id, 'attendance', quarter from analytics_attendance
          returning 1)
        select count(*) from marked $$;
    `);
  }
}
