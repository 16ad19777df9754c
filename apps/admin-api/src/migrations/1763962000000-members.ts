import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ids by which auth names the members of a site. Rows from before are null until auth announces the membership again
 * (`republish role`).
 */
export class Members1763962000000 implements MigrationInterface {
  name = 'Members1763962000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table people_roles add column member_id uuid;
      alter table students add column member_id uuid;
      alter table lecturers add column member_id uuid;
      alter table appearance_revisions add column member_id uuid;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table people_roles drop column member_id;
      alter table students drop column member_id;
      alter table lecturers drop column member_id;
      alter table appearance_revisions drop column member_id;
    `);
  }
}
