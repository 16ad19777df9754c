import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MemberErasures1795987200031 implements MigrationInterface {
  name = 'MemberErasures1795987200031';

  async up(runner: QueryRunner): Promise<void> {
    // Events of the member that occurred until then belong to the erased membership. This service owns the rows: a
    // rebuild reads them.
    await runner.query(`
      create table member_erasures (
        site_id uuid,
        person_id uuid,
        erased_at timestamptz(3) not null,
        primary key (site_id, person_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table member_erasures`);
  }
}
