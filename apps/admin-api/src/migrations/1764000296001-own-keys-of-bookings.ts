import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `external_id` and `metadata` of bookings. */
export class OwnKeysOfBookings1764000296001 implements MigrationInterface {
  name = 'OwnKeysOfBookings1764000296001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table consulting_bookings
        add column external_id text,
        add column metadata jsonb not null default '{}',
        -- GET /slots/{slot_id}/bookings?external_id=…
        add constraint consulting_bookings_external_id unique (site_id, external_id);
      -- GET /slots/{slot_id}/bookings?metadata[key]=…
      create index consulting_bookings_metadata on consulting_bookings using gin (site_id, metadata jsonb_path_ops)
        where metadata <> '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index consulting_bookings_metadata;
      alter table consulting_bookings
        drop constraint consulting_bookings_external_id,
        drop column external_id,
        drop column metadata;
    `);
  }
}
