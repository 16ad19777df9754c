import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a role event may link the lecturer to the member of the address. */
export class LecturerLinks1764000282000 implements MigrationInterface {
  name = 'LecturerLinks1764000282000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table lecturers add column follows_email boolean not null default true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table lecturers drop column follows_email');
  }
}
