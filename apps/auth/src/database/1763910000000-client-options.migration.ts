import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logout URIs, and the switch for libraries that cannot send `state` or repeat `resource`. */
export class ClientOptions1763910000000 implements MigrationInterface {
  readonly name = 'ClientOptions1763910000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE clients
        ADD COLUMN post_logout_redirect_uris text[] NOT NULL DEFAULT '{}',
        ADD COLUMN compatibility_mode boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE clients DROP COLUMN post_logout_redirect_uris, DROP COLUMN compatibility_mode');
  }
}
