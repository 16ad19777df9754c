import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Progress marks nothing: the first one changes its enrollment, which marks its quarter. A transaction of its own: with
 * a lock of enrollments it could wait in a circle with a transaction that records progress.
 */
export class MarksOfProgress1795987200041 implements MigrationInterface {
  readonly name = 'MarksOfProgress1795987200041';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger analytics_insert on progress');
    await runner.query('drop function analytics_progress()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function analytics_progress() returns trigger language plpgsql as $$
      begin
        insert into analytics_marks (site_id, rollup, quarter)
        select distinct e.site_id, 'enrollments', analytics_quarter(e.created_at)
        from changed c join enrollments e on e.site_id = c.site_id and e.id = c.enrollment_id;
        return null;
      end $$;
      create trigger analytics_insert after insert on progress referencing new table as changed for each statement
        execute function analytics_progress();
    `);
  }
}
