import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links by which a person sets a first or a new password. */
export class PasswordResets1763700000004 implements MigrationInterface {
  readonly name = 'PasswordResets1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invitations
        -- Why the link was sent. Both set a password; a reset lives shorter.
        ADD COLUMN purpose text NOT NULL DEFAULT 'invitation' CHECK (purpose IN ('invitation', 'password_reset'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invitations DROP COLUMN purpose');
  }
}
