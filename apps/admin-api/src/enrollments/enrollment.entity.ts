import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { EnrollmentSource, EnrollmentState } from './enrollment.policy.js';

@Entity('enrollments')
export class Enrollment extends SiteRow {
  @Column('uuid') student_id!: string;
  @Column('uuid') course_id!: string;
  @Column('text') state!: EnrollmentState;
  @Column('text') source!: EnrollmentSource;
  @Column({ type: 'timestamptz', precision: 3 }) started_at!: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expires_at!: Date | null;
  @Column('double precision') completion_rate!: number;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completed_at!: Date | null;
  /** Grows with each edit: the entity tag shows it. */
  @Column('int') revision!: number;
  /** The person of the student: read with the row, and no column. */
  person_id!: string | null;
}
