import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Grants of a large site or client end by one row, before their own rows are deleted in batches (ADR 198). */
export class GrantEndings1795987200000 implements MigrationInterface {
  readonly name = 'GrantEndings1795987200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table grant_endings (
        -- A site or a client: its grants from before the instant have ended. Primary key serves introspection.
        target_id uuid primary key,
        target text not null check (target in ('site', 'client')),
        reason text not null,
        ended_at timestamptz(3) not null
      );
      -- Serves the end of all grants of a site, and the foreign key.
      create index grants_of_site on grants (site_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index grants_of_site;
      drop table grant_endings;
    `);
  }
}
