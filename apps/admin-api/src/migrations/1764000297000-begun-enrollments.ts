import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the student of an enrollment has begun: a list of those who have not reads no progress. */
export class BegunEnrollments1764000297000 implements MigrationInterface {
  name = 'BegunEnrollments1764000297000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table enrollments add column has_begun boolean not null default false;
      update enrollments e set has_begun = true
      where exists (select 1 from progress p where p.site_id = e.site_id and p.enrollment_id = e.id);
      -- GET /enrollments?has_begun=…
      create index enrollments_by_begun on enrollments (site_id, has_begun, created_at, id);

      -- A trigger, so that instances of the previous release write the column too.
      create function enrollment_begins() returns trigger language plpgsql as $$
      begin
        update enrollments set has_begun = true
        where site_id = new.site_id and id = new.enrollment_id and not has_begun;
        return null;
      end $$;
      create trigger enrollment_begins after insert on progress
        for each row execute function enrollment_begins();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger enrollment_begins on progress;
      drop function enrollment_begins;
      drop index enrollments_by_begun;
      alter table enrollments drop column has_begun;
    `);
  }
}
