import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['pages', 'webhook_endpoints', 'consulting_services'];

/** An edit by the release before, which knows no `revision`, raises it too. It sets `updated_at`, as each edit does. */
export class RevisionsOfEdits1795987200003 implements MigrationInterface {
  readonly name = 'RevisionsOfEdits1795987200003';
  /** Each statement locks one table (ADR 204). Another run makes the triggers that are missing. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function raise_revision() returns trigger language plpgsql as $$
      begin
        new.revision := old.revision + 1;
        return new;
      end $$`);
    for (const table of TABLES) {
      await runner.query(`
        create or replace trigger raise_revision before update on ${table} for each row
        when (new.revision = old.revision and new.updated_at is distinct from old.updated_at)
        execute function raise_revision()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`drop trigger if exists raise_revision on ${table}`);
    await runner.query('drop function if exists raise_revision()');
  }
}
