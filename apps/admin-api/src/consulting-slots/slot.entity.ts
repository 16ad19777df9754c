import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { SlotState } from './slot.policy.js';

/** A time at which a session of a consulting service takes place, for one student or a group. */
@Entity('consulting_slots')
export class Slot extends SiteRow {
  @Column('uuid') consulting_service_id!: string;
  @Column({ type: 'uuid', nullable: true }) lecturer_id!: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) starts_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) ends_at!: Date;
  @Column('int') capacity!: number;
  /** Bookings that are not canceled. It changes in the transaction of each booking. */
  @Column('int') booked_count!: number;
  @Column('text') state!: SlotState;
  @Column({ type: 'text', nullable: true }) location!: string | null;
  @Column({ type: 'text', nullable: true }) join_url!: string | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
