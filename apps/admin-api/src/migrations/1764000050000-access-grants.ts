import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each enrollment so far has one grant. `expires_at` of a revoked enrollment is now the instant at which access ended. */
export class AccessGrants1764000050000 implements MigrationInterface {
  name = 'AccessGrants1764000050000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table access_grants (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        enrollment_id uuid not null,
        source text not null check (source in ('order', 'subscription', 'membership', 'manual', 'import')),
        -- null: given by hand, or before sources had ids
        source_id uuid,
        starts_at timestamptz(3) not null,
        -- null: for life
        ends_at timestamptz(3),
        revoked_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, enrollment_id) references enrollments (site_id, id)
      );
      -- the sum of an enrollment
      create index access_grants_by_enrollment on access_grants (site_id, enrollment_id, starts_at, id);
      -- what an order, a subscription or a membership gave, once for each enrollment
      create unique index access_grants_source on access_grants (site_id, source_id, source, enrollment_id)
        where source_id is not null;

      insert into access_grants (site_id, enrollment_id, source, starts_at, ends_at, revoked_at, created_at, updated_at)
      select site_id, id, case source when 'purchase' then 'order' when 'free' then 'manual' else source end,
        started_at, expires_at, case state when 'revoked' then least(updated_at, expires_at) end, created_at, updated_at
      from enrollments;

      -- When time alone changes the state: the clock finds what is due by it.
      alter table enrollments add column changes_at timestamptz(3);
      update enrollments set changes_at = case state when 'pending' then started_at else expires_at end
        where state in ('pending', 'active');
      update enrollments set expires_at = least(updated_at, expires_at) where state = 'revoked';
      drop index enrollments_due;
      -- the clock: enrollments whose state is due to change
      create index enrollments_due on enrollments (changes_at) where changes_at is not null;

      -- GET /enrollments, and created_at[…]
      create index enrollments_by_created_at on enrollments (site_id, created_at, id);
      -- GET /enrollments?sort=updated_at, and updated_at[…]
      create index enrollments_by_updated_at on enrollments (site_id, updated_at, id);
      -- GET /enrollments?state=…
      create index enrollments_by_state on enrollments (site_id, state, created_at, id);
      drop index enrollments_by_course;
      -- GET /enrollments?course_id=…, and the foreign key to courses
      create index enrollments_by_course on enrollments (site_id, course_id, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index enrollments_by_course, enrollments_by_state, enrollments_by_updated_at, enrollments_by_created_at;
      create index enrollments_by_course on enrollments (site_id, course_id);
      drop index enrollments_due;
      create index enrollments_due on enrollments (expires_at) where state = 'active' and expires_at is not null;
      alter table enrollments drop column changes_at;
      update enrollments e set expires_at = (
          select ends_at from access_grants g where g.site_id = e.site_id and g.enrollment_id = e.id
          order by g.revoked_at desc nulls last, g.id desc limit 1)
        where state = 'revoked';
      drop table access_grants;
    `);
  }
}
