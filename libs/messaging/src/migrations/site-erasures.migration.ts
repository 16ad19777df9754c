import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleted sites, whose rows and events are deleted in several passes (ADR 120). */
export class SiteErasures1764000272000 implements MigrationInterface {
  readonly name = 'SiteErasures1764000272000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table site_erasures (
        -- Primary key serves the check of each batch of events: the row stays after the last pass.
        site_id      uuid primary key,
        requested_at timestamptz(3) not null default now(),
        -- Completed passes
        passes       int not null default 0,
        -- Null after the last pass. A running pass moves it forward, so that other replicas leave the site alone.
        next_at      timestamptz(3) default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table site_erasures');
  }
}
