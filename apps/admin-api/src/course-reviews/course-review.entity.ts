import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';

/** The one review of a student in a course. */
@Entity('course_reviews')
export class CourseReview extends SiteRow {
  @Column('uuid') course_id!: string;
  @Column('uuid') student_id!: string;
  @Column('uuid') enrollment_id!: string;
  @Column('smallint') rating!: number;
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column('text') body!: string;
  @Column({ type: 'timestamptz', precision: 3 }) reviewed_at!: Date;
}
