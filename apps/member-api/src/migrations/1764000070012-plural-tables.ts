import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables are named in the plural, as in the other services. */
const PLURALS = {
  client: 'clients',
  consulting_meeting: 'consulting_meetings',
  consulting_purchase: 'consulting_purchases',
  consulting_service: 'consulting_services',
  course: 'courses',
  digital_product: 'digital_products',
  digital_product_download: 'digital_product_downloads',
  digital_product_grant: 'digital_product_grants',
  enrollment: 'enrollments',
  event: 'events',
  event_registration: 'event_registrations',
  fan_out: 'fan_outs',
  inbox_count: 'inbox_counts',
  membership: 'memberships',
  notification: 'notifications',
  notification_subscription: 'notification_subscriptions',
  outbound_mail: 'outbound_mails',
  person: 'people',
  playback: 'playbacks',
  post: 'posts',
  reminder: 'reminders',
  site: 'sites',
} as const;

export class PluralTables1764000070012 implements MigrationInterface {
  readonly name = 'PluralTables1764000070012';

  async up(runner: QueryRunner): Promise<void> {
    for (const [one, many] of Object.entries(PLURALS)) await runner.query(`alter table ${one} rename to ${many}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [one, many] of Object.entries(PLURALS)) await runner.query(`alter table ${many} rename to ${one}`);
  }
}
