import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleted sites. Their rows of `sites` follow when all others are deleted (ADR 120). */
export class DeletedSites1764000272001 implements MigrationInterface {
  readonly name = 'DeletedSites1764000272001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table deleted_sites (
        -- Primary key serves each read of a site. No foreign key: this row stays.
        site_id    uuid primary key,
        base_url   text not null,
        org_id     text not null,
        -- That of the event
        version    int not null,
        deleted_at timestamptz(3) not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table deleted_sites');
  }
}
