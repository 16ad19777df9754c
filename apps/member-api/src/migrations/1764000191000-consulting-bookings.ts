import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  consulting_meeting_pkey: 'consulting_booking_pkey',
  consulting_meeting_page: 'consulting_booking_page',
};

/** A booked session is a booking (ADR 79). */
export class ConsultingBookings1764000191000 implements MigrationInterface {
  readonly name = 'ConsultingBookings1764000191000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table consulting_meetings rename to consulting_bookings;
      alter table consulting_bookings rename column meeting_id to booking_id;
      alter table consulting_bookings rename constraint consulting_meeting_state_check to consulting_booking_state_check;
    `);
    for (const [before, after] of Object.entries(INDEXES))
      await runner.query(`alter index ${before} rename to ${after}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [before, after] of Object.entries(INDEXES))
      await runner.query(`alter index ${after} rename to ${before}`);
    await runner.query(`
      alter table consulting_bookings rename constraint consulting_booking_state_check to consulting_meeting_state_check;
      alter table consulting_bookings rename column booking_id to meeting_id;
      alter table consulting_bookings rename to consulting_meetings;
    `);
  }
}
