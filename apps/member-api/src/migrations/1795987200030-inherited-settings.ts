import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InheritedSettings1795987200030 implements MigrationInterface {
  name = 'InheritedSettings1795987200030';

  async up(runner: QueryRunner): Promise<void> {
    // The value that a setting had when its row was written without a choice of it. While the setting equals it, the
    // topic or the default decides. Null: a choice of the member. v0.1.0 reads the settings alone, so they stay.
    await runner.query(`
      alter table notification_subscriptions
        add column inherited_active boolean,
        add column inherited_in_app boolean,
        add column inherited_email boolean`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table notification_subscriptions
        drop column inherited_active,
        drop column inherited_in_app,
        drop column inherited_email`);
  }
}
