import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registrations that were swept before rows were deleted. Their ids are 256 random bits and never return. */
export class DeletedRegistrations1763910000002 implements MigrationInterface {
  readonly name = 'DeletedRegistrations1763910000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH gone AS (
        SELECT client_key FROM clients c
         WHERE source = 'loopback' AND deleted_at IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.client_key = c.client_key)
      ), forgotten AS (
        DELETE FROM consents s USING gone WHERE s.client_key = gone.client_key
      )
      DELETE FROM clients c USING gone WHERE c.client_key = gone.client_key`);
  }

  /** Nothing to restore: the rows are not used. */
  async down(): Promise<void> {
    return Promise.resolve();
  }
}
