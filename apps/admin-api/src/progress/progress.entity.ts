import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';

/** Where a student stopped in one lecture of a course, and whether they completed it. */
@Entity('progress')
export class Progress extends SiteRow {
  @Column('uuid') enrollment_id!: string;
  @Column('uuid') student_id!: string;
  @Column('uuid') course_id!: string;
  @Column('uuid') lecture_id!: string;
  /** Title of the lecture at the last record. Null: the record is older than curricula. */
  @Column({ type: 'text', nullable: true }) lecture_title!: string | null;
  @Column('int') position_seconds!: number;
  @Column({ type: 'timestamptz', precision: 3 }) watched_at!: Date;
  /** `completed_at` is set: a filter needs a column of its own. */
  @Column('boolean') completed!: boolean;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completed_at!: Date | null;
  /** The person of the student: read with the row, and no column. */
  person_id!: string | null;
}
