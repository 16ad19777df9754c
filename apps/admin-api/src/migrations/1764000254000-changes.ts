import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The public events of sites, as a feed (ADR 100). */
export class Changes1764000254000 implements MigrationInterface {
  name = 'Changes1764000254000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table change_clock (
        one boolean primary key default true check (one),
        -- That of the last change of any site
        position bigint not null default 0
      );
      insert into change_clock default values;

      create table changes (
        site_id uuid not null,
        type text not null,
        -- Microseconds of the recording: unique, and visible in this order
        position bigint not null,
        -- That of the event
        id uuid not null,
        object_id uuid not null,
        -- The course that the object belongs to, whose teachers read the change
        course_id uuid,
        -- No personal data but ids
        data jsonb not null,
        occurred_at timestamptz(3) not null,
        -- The instant of the position
        created_at timestamptz(3) not null,
        -- GET /changes, and with type=…
        primary key (site_id, type, position, created_at)
      ) partition by range (created_at);
      -- GET /changes of a teacher
      create index changes_by_course on changes (site_id, course_id, position) where course_id is not null;

      create function changes_are_append_only() returns trigger language plpgsql as $$
      begin
        raise exception 'changes are append-only' using errcode = 'insufficient_privilege';
      end $$;
      create trigger changes_rows_stay before update or delete on changes
        for each row execute function changes_are_append_only();
      create trigger append_only before truncate on changes
        for each statement execute function changes_are_append_only();
      -- Rows of a month without a partition. The periodic task turns it into the partition of its months.
      create table changes_default partition of changes default;
      create trigger append_only before truncate on changes_default
        for each statement execute function changes_are_append_only();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table changes;
      drop function changes_are_append_only;
      drop table change_clock;
    `);
  }
}
