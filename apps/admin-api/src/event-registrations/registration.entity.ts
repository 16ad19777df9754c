import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { RegistrationSource, RegistrationState } from './registration.policy.js';

/** The place of a student at an event, or their place in its waiting list. */
@Entity('event_registrations')
export class EventRegistration extends SiteRow {
  @Column('uuid') event_id!: string;
  @Column({ type: 'uuid', nullable: true }) ticket_id!: string | null;
  @Column('uuid') student_id!: string;
  @Column('text') state!: RegistrationState;
  @Column('text') source!: RegistrationSource;
  @Column({ type: 'uuid', nullable: true }) order_id!: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) registered_at!: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) checked_in_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) canceled_at!: Date | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Computed: the person of the student. */
  person_id!: string | null;
  /** Computed: the member of the student. */
  member_id!: string | null;
}
