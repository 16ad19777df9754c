export const functions = `
  -- Trusted extensions: the owner of a database may create them.
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create extension if not exists citext;

  create function activity_is_append_only() returns trigger language plpgsql as $$
      begin
        raise exception 'activity is append-only' using errcode = 'insufficient_privilege';
      end $$;

  create function count_file_use() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          update files set uses = uses + 1, sweep_at = null where site_id = new.site_id and id = new.file_id;
        else
          -- The statement waits for other changes of the row, so the last of several uses that end at one time sees 1.
          update files set uses = uses - 1, sweep_at = case when uses = 1 then now() + interval '7 days' end
          where site_id = old.site_id and id = old.file_id;
        end if;
        return null;
      end $$;

  create function changes_are_append_only() returns trigger language plpgsql as $$
      begin
        raise exception 'changes are append-only' using errcode = 'insufficient_privilege';
      end $$;

  create function subscription_price() returns trigger language plpgsql as $$
      begin
        select p.price_amount_minor, p.price_currency into new.price_amount_minor, new.price_currency
        from membership_plan_prices p where p.site_id = new.site_id and p.id = new.price_id;
        return new;
      end $$;

  create function analytics_quarter(instant timestamptz) returns timestamptz language sql immutable
    return date_bin('00:15:00'::interval, instant, '2000-01-01 00:00:00+00'::timestamptz);

  -- The month of an instant, as exact as any time zone needs: around the ends of a month of UTC its quarter of an
  -- hour, and else the middle of the month, because no zone is more than 15 hours away from UTC
  create function analytics_slot(instant timestamptz) returns timestamptz language sql stable
    return CASE WHEN (date_trunc('month'::text, (instant - '15:00:00'::interval), 'UTC'::text) = date_trunc('month'::text, (instant + '15:00:00'::interval), 'UTC'::text)) THEN (date_trunc('month'::text, instant, 'UTC'::text) + '360:00:00'::interval) ELSE analytics_quarter(instant) END;

  create function analytics_orders() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct site_id, 'sales', analytics_quarter(paid_at) from changed where paid_at is not null;
        return null;
      end $$;

  create function analytics_order() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select new.site_id, 'sales', analytics_quarter(at) from unnest(array[old.paid_at, new.paid_at]) at
        where at is not null;
        return null;
      end $$;

  create function analytics_refunds() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct site_id, 'sales', analytics_quarter(refunded_at) from changed;
        return null;
      end $$;

  create function analytics_enrollments() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct site_id, 'enrollments', analytics_quarter(created_at) from changed;
        return null;
      end $$;

  create function analytics_enrollment() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        values (new.site_id, 'enrollments', analytics_quarter(new.created_at));
        return null;
      end $$;

  create function analytics_progress() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct e.site_id, 'enrollments', analytics_quarter(e.created_at)
        from changed c join enrollments e on e.site_id = c.site_id and e.id = c.enrollment_id;
        return null;
      end $$;

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

  create function analytics_registrations() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct e.site_id, 'attendance', analytics_quarter(e.starts_at)
        from changed c join events e on e.site_id = c.site_id and e.id = c.event_id;
        return null;
      end $$;

  create function analytics_event() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct new.site_id, 'attendance', analytics_quarter(at)
        from unnest(array[old.starts_at, new.starts_at]) at where at is not null;
        return null;
      end $$;

  -- A trigger, so that instances of the previous release write the column too.
  create function enrollment_begins() returns trigger language plpgsql as $$
      begin
        update enrollments set has_begun = true
        where site_id = new.site_id and id = new.enrollment_id and not has_begun;
        return null;
      end $$;
`;
