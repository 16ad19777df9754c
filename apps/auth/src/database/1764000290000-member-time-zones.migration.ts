import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time zone of a person at a site. Null: that of the site. */
export class MemberTimeZones1764000290000 implements MigrationInterface {
  readonly name = 'MemberTimeZones1764000290000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site_members add column timezone text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site_members drop column timezone');
  }
}
