import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';

/** Where a student stopped in one lecture of a course. */
@Entity('progress')
export class Progress extends SiteRow {
  @Column('uuid') enrollment_id!: string;
  @Column('uuid') student_id!: string;
  @Column('uuid') course_id!: string;
  @Column('uuid') lecture_id!: string;
  @Column({ type: 'text', nullable: true }) lecture_title!: string | null;
  @Column('int') position_seconds!: number;
  @Column({ type: 'timestamptz', precision: 3 }) watched_at!: Date;
  /** The person of the student: read with the row, and no column. */
  person_id!: string | null;
}
