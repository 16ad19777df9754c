import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Makes the end of all sessions final for concurrent sign-ins and authorizations. */
export class SignOuts1763700000005 implements MigrationInterface {
  readonly name = 'SignOuts1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE people
        -- How often all sessions and grants of the person have ended. A sign-in is good for the number that it met.
        ADD COLUMN sign_outs int NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE people DROP COLUMN sign_outs');
  }
}
