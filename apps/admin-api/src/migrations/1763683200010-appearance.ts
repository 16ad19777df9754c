import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the pages of a site look, and how they looked before. */
export class Appearance1763683200010 implements MigrationInterface {
  name = 'Appearance1763683200010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table appearances (
        site_id uuid primary key,
        -- 0: nothing was ever set
        version int not null default 0,
        settings jsonb not null default '{}',
        updated_at timestamptz(3)
      );

      create table appearance_revisions (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        -- of the appearance that it made: a site has one for each, and only the last ones
        version int not null,
        settings jsonb not null,
        person_id uuid not null,
        client_id text not null,
        -- perhaps forgotten since
        restored_from uuid,
        -- Not now(): who waited for the row began before the one who had it.
        created_at timestamptz(3) not null default clock_timestamp(),
        -- GET /appearance/revisions and restoring: a site has no more of them than fit into a page or two
        primary key (site_id, id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table appearance_revisions, appearances');
  }
}
