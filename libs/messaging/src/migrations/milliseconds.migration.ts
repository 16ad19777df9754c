import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Instants have milliseconds (ADR 43). The previous release also works with such columns, so `down` keeps them. */
export class MessagingMilliseconds1793000000001 implements MigrationInterface {
  readonly name = 'MessagingMilliseconds1793000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ALTER COLUMN created_at TYPE timestamptz(3)');
    await runner.query('ALTER TABLE inbox ALTER COLUMN applied_at TYPE timestamptz(3)');
  }

  async down(): Promise<void> {}
}
