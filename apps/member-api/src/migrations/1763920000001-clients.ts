import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Clients1763920000001 implements MigrationInterface {
  readonly name = 'Clients1763920000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table client (
        client_key uuid primary key,
        version integer not null,
        -- Null for clients of the whole deployment.
        site_id uuid,
        origins text[] not null,
        active boolean not null
      )`);
    // The origins of a site.
    await runner.query('create index client_site on client (site_id) where active');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table client');
  }
}
