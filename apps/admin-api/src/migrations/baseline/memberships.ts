export const memberships = `
  create table membership_plans (
    site_id uuid,
    id uuid default uuidv7(),
    slug text not null,
    name text not null,
    description_html text,
    plan_type text not null check (plan_type in ('recurring', 'fixed_date', 'specific_length', 'lifetime')),
    state text not null default 'draft' check (state in ('draft', 'active', 'archived')),
    -- Active, but only sold to whom it is offered
    visible boolean not null default true,
    -- The last instant to join. Memberships of a fixed_date plan end then, too.
    ends_at timestamptz(3),
    -- How many can be sold; null: without limit
    quantity int check (quantity > 0),
    sold_count int not null default 0 check (sold_count >= 0),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    -- Days of access from the sale, of a specific_length plan
    access_days int check (access_days > 0),
    -- End of access of every buyer, of a fixed_date plan
    access_ends_at timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    primary key (site_id, id),
    -- get_catalog_item, and the refusal of a second plan of the same slug
    constraint membership_plans_slug unique (site_id, slug),
    -- GET /membership_plans?external_id=…, and the upsert
    constraint membership_plans_external_id unique (site_id, external_id),
    constraint membership_plans_sold check (sold_count <= quantity)
  );
  -- list_membership_plans and search_catalog
  create index membership_plans_catalogue on membership_plans (site_id, name, id) where state = 'active' and visible;
  -- search_catalog with q
  create index membership_plans_by_text on membership_plans using gin (site_id, (((name || ' ') || slug)) gin_trgm_ops);
  -- GET /membership_plans, sorted by created_at and by name
  create index membership_plans_by_created_at on membership_plans (site_id, created_at, id);
  -- sort=name
  create index membership_plans_by_name on membership_plans (site_id, name, id);
  -- GET /membership_plans?state=…
  create index membership_plans_by_state on membership_plans (site_id, state, created_at, id);
  -- GET /membership_plans?sort=updated_at, and updated_at[…]
  create index membership_plans_by_updated_at on membership_plans (site_id, updated_at, id);
  -- metadata[…]=…
  create index membership_plans_metadata on membership_plans using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;

  -- What a plan costs: one or several ways to pay it
  create table membership_plan_prices (
    site_id uuid,
    id uuid default uuidv7(),
    plan_id uuid not null,
    -- null: paid once
    billing_interval text check (billing_interval in ('day', 'week', 'month', 'year')),
    interval_count int not null default 1 check (interval_count > 0),
    price_amount_minor bigint not null check (price_amount_minor >= 0),
    price_currency text not null check (price_currency ~ '^[A-Z]{3}$'),
    trial_days int not null default 0 check (trial_days >= 0),
    position int not null,
    -- false: not for sale. Subscriptions and orders may name it
    active boolean not null default true,
    primary key (site_id, id),
    foreign key (site_id, plan_id) references membership_plans(site_id, id) on delete cascade,
    constraint membership_plan_prices_price_amount_minor_exact check (price_amount_minor <= 9007199254740991),
    -- the prices of a plan, in their order. Deferred: a statement that changes the order meets the old places
    constraint membership_plan_prices_position unique (site_id, plan_id, "position") deferrable initially deferred
  );

  -- Courses that members of a plan have access to
  create table membership_plan_courses (
    site_id uuid,
    plan_id uuid,
    course_id uuid,
    primary key (site_id, plan_id, course_id),
    foreign key (site_id, plan_id) references membership_plans(site_id, id) on delete cascade,
    foreign key (site_id, course_id) references courses(site_id, id) on delete cascade
  );
  -- DELETE /courses/{id}: is it part of a plan?
  create index membership_plan_courses_by_course on membership_plan_courses (site_id, course_id);

  create table subscriptions (
    site_id uuid,
    id uuid default uuidv7(),
    student_id uuid not null,
    plan_id uuid not null,
    price_id uuid not null,
    -- Of the plan and the price when it began
    plan_type text not null check (plan_type in ('recurring', 'fixed_date', 'specific_length', 'lifetime')),
    billing_interval text check (billing_interval in ('day', 'week', 'month', 'year')),
    interval_count int not null default 1 check (interval_count > 0),
    state text not null default 'active' check (state in ('incomplete', 'trialing', 'active', 'past_due', 'canceled',
      'expired')),
    state_since timestamptz(3) not null default now(),
    -- null: it has not begun
    started_at timestamptz(3),
    trial_ends_at timestamptz(3),
    current_period_start timestamptz(3),
    -- null: for life, or it has not begun
    current_period_end timestamptz(3),
    cancel_at_period_end boolean not null default false,
    cancel_reason text,
    ended_at timestamptz(3),
    -- The current period ends period_number periods after it
    anchor_at timestamptz(3),
    period_number int not null default 0,
    -- End of the access that it gives; null: for life
    live_until timestamptz(3),
    -- When the state changes by time alone
    changes_at timestamptz(3),
    external_id text,
    metadata jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    -- Of the price when it began: the price of a plan may change. Null: the price is gone
    price_amount_minor bigint,
    price_currency text,
    -- Price of a month, rounded half up. A year has 12 months and 365 days
    monthly_minor bigint generated always as (
case billing_interval
    when 'day' then (((730 * price_amount_minor) + (12 * (interval_count)::bigint)) / (24 * (interval_count)::bigint))
    when 'week' then (((730 * price_amount_minor) + (84 * (interval_count)::bigint)) / (168 * (interval_count)::bigint))
    when 'month' then (((2 * price_amount_minor) + interval_count) / (2 * (interval_count)::bigint))
    when 'year' then (((2 * price_amount_minor) + (12 * (interval_count)::bigint)) / (24 * (interval_count)::bigint))
    else null::bigint
end) stored,
    -- Start of the first paid period of a recurring subscription. Null: it has none
    paying_from timestamptz(3) generated always as (
case
    when ((plan_type <> 'recurring')
      or (billing_interval is null)
      or (price_amount_minor is null)) then null::timestamp with time zone
    when ((trial_ends_at is not null)
      and (current_period_end <= trial_ends_at)) then null::timestamp with time zone
    when (ended_at <= COALESCE(trial_ends_at, started_at)) then null::timestamp with time zone
    else COALESCE(trial_ends_at, started_at)
end) stored,
    primary key (site_id, id),
    constraint subscriptions_check check ((state in ('canceled', 'expired')) = (ended_at is not null)),
    -- GET /subscriptions?external_id=…
    constraint subscriptions_external_id unique (site_id, external_id),
    foreign key (site_id, student_id) references students(site_id, id),
    foreign key (site_id, plan_id) references membership_plans(site_id, id)
  );
  -- GET /subscriptions, and created_at[…]
  create index subscriptions_by_created_at on subscriptions (site_id, created_at, id);
  -- sort=updated_at and updated_at[…]
  create index subscriptions_by_updated_at on subscriptions (site_id, updated_at, id);
  -- student_id=…, and the subscriptions of a member
  create index subscriptions_by_student on subscriptions (site_id, student_id, created_at, id);
  -- plan_id=…
  create index subscriptions_by_plan on subscriptions (site_id, plan_id, created_at, id);
  -- state=…
  create index subscriptions_by_state on subscriptions (site_id, state, created_at, id);
  -- those that follow a change of their plan
  create index subscriptions_live_of_plan on subscriptions (site_id, plan_id, id) where state in ('trialing', 'active',
    'past_due');
  -- the clock: subscriptions whose state is due to change
  create index subscriptions_due on subscriptions (changes_at) where changes_at is not null;
  -- analytics: subscriptions by the start of their first paid period
  create index subscriptions_paying on subscriptions (site_id, paying_from) where paying_from is not null;
  -- analytics: subscriptions by their end
  create index subscriptions_ended on subscriptions (site_id, ended_at) where ended_at is not null;
  -- metadata[…]=…
  create index subscriptions_metadata on subscriptions using gin (site_id, metadata jsonb_path_ops)
    where metadata <> '{}'::jsonb;
  create trigger subscriptions_price before insert on subscriptions for each row execute function subscription_price();
  create trigger analytics_insert after insert on subscriptions for each row when ((new.paying_from is not null))
    execute function analytics_subscription();
  create trigger analytics_update after update on subscriptions
    for each row when (((old.paying_from is distinct from new.paying_from)
    or (old.ended_at is distinct from new.ended_at))) execute function analytics_subscription();

  -- What orders gave, so that a refund takes exactly that back
  create table subscription_orders (
    site_id uuid,
    order_id uuid,
    subscription_id uuid,
    -- sale: the subscription, start: its first period, renewal: another one
    kind text not null check (kind in ('sale', 'start', 'renewal')),
    taken_back_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    primary key (site_id, order_id, subscription_id),
    foreign key (site_id, subscription_id) references subscriptions(site_id, id)
  );
  -- finds the other orders of a subscription, and the payments that a coupon reduced
  create index subscription_orders_subscription on subscription_orders (site_id, subscription_id);

  -- Plans whose courses changed: their live subscriptions follow in the background
  create table subscription_follows (
    site_id uuid,
    plan_id uuid,
    -- The last subscription that followed; null: none yet
    after_id uuid,
    -- Number of changes of the plan: an earlier one does not end the work of a later one
    revision int not null default 1,
    -- One replica works on a plan until then
    claimed_until timestamptz(3) not null default now(),
    primary key (site_id, plan_id),
    foreign key (site_id, plan_id) references membership_plans(site_id, id) on delete cascade
  );
  -- the next plan, of all sites
  create index subscription_follows_next on subscription_follows (claimed_until);
`;
