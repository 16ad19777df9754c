import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Clients1763920000001 implements MigrationInterface {
  readonly name = 'Clients1763920000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE client (
        client_key uuid PRIMARY KEY,
        version integer NOT NULL,
        -- Null for clients of the whole deployment.
        site_id uuid,
        origins text[] NOT NULL,
        active boolean NOT NULL
      )`);
    // The origins of a site.
    await runner.query('CREATE INDEX client_site ON client (site_id) WHERE active');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE client');
  }
}
