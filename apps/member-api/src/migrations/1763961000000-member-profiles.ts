import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The profile of a membership. Null until identity sends the membership again (`republish role`). */
export class MemberProfiles1763961000000 implements MigrationInterface {
  name = 'MemberProfiles1763961000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table membership add column name text, add column picture text, add column locale text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table membership drop column name, drop column picture, drop column locale');
  }
}
