import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No device receives messages, so PUSH is no channel (ADR 102). */
export class Channels1764000262001 implements MigrationInterface {
  readonly name = 'Channels1764000262001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table notification_subscriptions drop column push');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table notification_subscriptions add column push boolean not null default false;
      alter table notification_subscriptions alter column push drop default;
    `);
  }
}
