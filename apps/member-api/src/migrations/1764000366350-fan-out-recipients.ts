import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many people a fan-out has reached. */
export class FanOutRecipients1764000366350 implements MigrationInterface {
  readonly name = 'FanOutRecipients1764000366350';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table fan_outs add column recipients_count int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table fan_outs drop column recipients_count');
  }
}
