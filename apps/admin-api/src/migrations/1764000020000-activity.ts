import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log of what operators change, and the epoch of the read model of roles (ADR 39, ADR 40). */
export class Activity1764000020000 implements MigrationInterface {
  name = 'Activity1764000020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table people_roles add column epoch bigint not null default 1');
    // GET /activity: roles of the caller, names of the actors
    await runner.query('create index people_roles_by_member on people_roles (site_id, member_id)');
    await runner.query(`
      create table activity (
        site_id uuid not null,
        -- That of the event.
        id uuid not null,
        action text not null,
        object_type text not null,
        -- null: the settings of the site
        object_id uuid,
        member_id uuid not null,
        client_id text,
        via text not null check (via in ('rest', 'tool', 'graphql', 'page')),
        request_id text,
        -- Names alone: values may be personal data.
        changed_fields text[] not null default '{}',
        created_at timestamptz(3) not null,
        -- GET /activity?sort=created_at and -created_at, and created_at[…]
        primary key (site_id, created_at, id)
      ) partition by range (created_at);
      -- GET /activity?object_id=…
      create index activity_by_object on activity (site_id, object_id, created_at, id);
      -- GET /activity?object_type=…
      create index activity_by_type on activity (site_id, object_type, created_at, id);
      -- GET /activity?action=…
      create index activity_by_action on activity (site_id, action, created_at, id);
      -- GET /activity?member_id=…
      create index activity_by_member on activity (site_id, member_id, created_at, id);
    `);
    await runner.query(`
      create function activity_is_append_only() returns trigger language plpgsql as $$
      begin
        raise exception 'activity is append-only' using errcode = 'insufficient_privilege';
      end $$;
      -- PostgreSQL gives it to each partition.
      create trigger activity_rows_stay before update or delete on activity
        for each row execute function activity_is_append_only();
      create trigger append_only before truncate on activity
        for each statement execute function activity_is_append_only();
    `);
    // Rows of a month without a partition. The periodic task turns it into the partition of its months.
    await runner.query(`
      create table activity_default partition of activity default;
      create trigger append_only before truncate on activity_default
        for each statement execute function activity_is_append_only();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table activity');
    await runner.query('drop function activity_is_append_only');
    await runner.query('drop index people_roles_by_member');
    await runner.query('alter table people_roles drop column epoch');
  }
}
