import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One live branch for each family of refresh tokens, and a limit for the repeats of one token. */
export class RefreshBranch1763910000001 implements MigrationInterface {
  readonly name = 'RefreshBranch1763910000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE grants
        -- The latest rotation of a refresh token that was used. Tokens of it, and before it, are no longer good.
        ADD COLUMN used_rotation int NOT NULL DEFAULT -1`);
    await runner.query(`
      ALTER TABLE refresh_tokens
        -- How often it was repeated after it was used.
        ADD COLUMN repeats smallint NOT NULL DEFAULT 0`);
    await runner.query(`
      UPDATE grants g SET used_rotation = used.rotation
        FROM (SELECT grant_id, max(rotation) AS rotation FROM refresh_tokens
               WHERE consumed_at IS NOT NULL GROUP BY grant_id) used
       WHERE used.grant_id = g.grant_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refresh_tokens DROP COLUMN repeats');
    await runner.query('ALTER TABLE grants DROP COLUMN used_rotation');
  }
}
