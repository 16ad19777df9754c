import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Plans in which courses are sold (ADR 68). */
export class CoursePlans1764000130001 implements MigrationInterface {
  name = 'CoursePlans1764000130001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table course_plans (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        course_id uuid not null,
        name text not null,
        plan_type text not null check (plan_type in ('free', 'one_time_purchase', 'subscription', 'pre_order', 'group_buy',
          'fixed_date', 'specific_length')),
        -- null: free
        price_amount_minor bigint check (price_amount_minor between 1 and 9007199254740991),
        price_currency text check (price_currency ~ '^[A-Z]{3}$'),
        interval text check (interval in ('month', 'year')),
        interval_count int check (interval_count > 0),
        access_days int check (access_days > 0),
        access_ends_at timestamptz(3),
        active boolean not null default true,
        external_id text,
        metadata jsonb not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, course_id) references courses (site_id, id) on delete cascade,
        check ((price_amount_minor is null) = (price_currency is null)),
        -- GET /courses/{course_id}/plans?external_id=…, and the upsert
        constraint course_plans_external_id unique (site_id, external_id)
      );
      -- the plans of a course, sort=created_at and created_at[…]
      create index course_plans_created on course_plans (site_id, course_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index course_plans_updated on course_plans (site_id, course_id, updated_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table course_plans');
  }
}
