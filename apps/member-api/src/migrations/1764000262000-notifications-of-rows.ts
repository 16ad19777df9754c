import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members are notified of their own registrations, bookings and purchases (ADR 102). */
export class NotificationsOfRows1764000262000 implements MigrationInterface {
  readonly name = 'NotificationsOfRows1764000262000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table fan_outs drop constraint fan_out_audience_check;
      alter table fan_outs add constraint fan_out_audience_check check (audience in (
        'course', 'site', 'event', 'canceled_event',
        'registration', 'booking', 'product_grant', 'consulting_purchase'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from fan_outs where audience in ('registration', 'booking', 'product_grant', 'consulting_purchase');
      alter table fan_outs drop constraint fan_out_audience_check;
      alter table fan_outs add constraint fan_out_audience_check
        check (audience in ('course', 'site', 'event', 'canceled_event'));
    `);
  }
}
