import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscriptions of students to membership plans (ADR 89). */
export class Subscriptions1764000243000 implements MigrationInterface {
  name = 'Subscriptions1764000243000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table subscriptions (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        student_id uuid not null,
        plan_id uuid not null,
        price_id uuid not null,
        -- Of the plan and the price when it began
        plan_type text not null check (plan_type in ('recurring', 'fixed_date', 'specific_length', 'lifetime')),
        billing_interval text check (billing_interval in ('day', 'week', 'month', 'year')),
        interval_count int not null default 1 check (interval_count > 0),
        state text not null default 'active'
          check (state in ('incomplete', 'trialing', 'active', 'past_due', 'canceled', 'expired')),
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
        primary key (site_id, id),
        foreign key (site_id, student_id) references students (site_id, id),
        foreign key (site_id, plan_id) references membership_plans (site_id, id),
        check ((state in ('canceled', 'expired')) = (ended_at is not null)),
        -- GET /subscriptions?external_id=…
        constraint subscriptions_external_id unique (site_id, external_id)
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
      create index subscriptions_live_of_plan on subscriptions (site_id, plan_id, id)
        where state in ('trialing', 'active', 'past_due');
      -- the clock: subscriptions whose state is due to change
      create index subscriptions_due on subscriptions (changes_at) where changes_at is not null;

      -- What orders gave, so that a refund takes exactly that back
      create table subscription_orders (
        site_id uuid not null,
        order_id uuid not null,
        subscription_id uuid not null,
        -- sale: the subscription, start: its first period, renewal: another one
        kind text not null check (kind in ('sale', 'start', 'renewal')),
        taken_back_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        primary key (site_id, order_id, subscription_id),
        foreign key (site_id, subscription_id) references subscriptions (site_id, id)
      );

      -- Plans whose courses changed: their live subscriptions follow in the background
      create table subscription_follows (
        site_id uuid not null,
        plan_id uuid not null,
        -- The last subscription that followed; null: none yet
        after_id uuid,
        -- Number of changes of the plan: an earlier one does not end the work of a later one
        revision int not null default 1,
        -- One replica works on a plan until then
        claimed_until timestamptz(3) not null default now(),
        primary key (site_id, plan_id),
        foreign key (site_id, plan_id) references membership_plans (site_id, id) on delete cascade
      );
      -- the next plan, of all sites
      create index subscription_follows_next on subscription_follows (claimed_until);

      alter table schools
        -- Days of access after a period that was not renewed
        add column subscription_grace_days int not null default 7 check (subscription_grace_days between 0 and 60);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table schools drop column subscription_grace_days;
      drop table subscription_follows, subscription_orders, subscriptions;
    `);
  }
}
