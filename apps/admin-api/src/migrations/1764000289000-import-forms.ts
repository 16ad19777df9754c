import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The encoding of an imported file, and the members of its columns. */
export class ImportForms1764000289000 implements MigrationInterface {
  name = 'ImportForms1764000289000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table imports
        add column encoding text not null default 'utf-8' check (encoding in ('utf-8', 'big5')),
        add column mapping jsonb not null default '{}'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table imports drop column mapping, drop column encoding');
  }
}
