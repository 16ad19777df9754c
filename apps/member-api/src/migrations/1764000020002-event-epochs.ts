import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  'client',
  'consulting_meeting',
  'consulting_purchase',
  'consulting_service',
  'course',
  'digital_product',
  'digital_product_grant',
  'enrollment',
  'event',
  'event_registration',
  'membership',
  'person',
  'playback',
  'post',
  'reminder',
  'site',
];

/** The epoch of the event that a row was last changed by: it counts before `version` (ADR 40). */
export class EventEpochs1764000020002 implements MigrationInterface {
  name = 'EventEpochs1764000020002';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} add column epoch bigint not null default 1`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} drop column epoch`);
  }
}
