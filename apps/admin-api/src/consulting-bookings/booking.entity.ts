import { Column, Entity } from 'typeorm';
import { RowOfStudent } from '#src/students/row-of-student.js';
import type { BookingState } from './booking.policy.js';

/** A place in a slot, which uses one session of a purchase. */
@Entity('consulting_bookings')
export class Booking extends RowOfStudent {
  @Column('uuid') slot_id!: string;
  @Column('uuid') purchase_id!: string;
  @Column('uuid') consulting_service_id!: string;
  @Column('uuid') student_id!: string;
  @Column({ type: 'timestamptz', precision: 3 }) starts_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) ends_at!: Date;
  @Column('text') state!: BookingState;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) canceled_at!: Date | null;
  @Column('boolean') session_returned!: boolean;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Computed: `join_url` of the slot. */
  join_url!: string | null;
}
