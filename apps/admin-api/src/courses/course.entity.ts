import { Column, Entity } from 'typeorm';
import { LinkedRow } from '#src/urls/linked-row.js';
import type { CourseState, CourseType } from './course.policy.js';

class Seo {
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column({ type: 'text', nullable: true }) description!: string | null;
}

@Entity('courses')
export class Course extends LinkedRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) subtitle!: string | null;
  @Column({ type: 'text', nullable: true }) description_html!: string | null;
  @Column({ type: 'text', nullable: true }) image_url!: string | null;
  @Column('text') course_type!: CourseType;
  @Column('text') state!: CourseState;
  @Column('boolean') featured!: boolean;
  @Column('boolean') hidden!: boolean;
  @Column({ type: 'text', array: true }) tags!: string[];
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  @Column(() => Seo) seo!: Seo | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at!: Date | null;
  @Column('int') enrollments_count!: number;
  @Column('int') reviews_count!: number;
  /** Average with two decimals. Null: no reviews. */
  @Column({ type: 'double precision', nullable: true }) rating_average!: number | null;
  /** Sum over the published lectures. A change of the curriculum updates it. */
  @Column('int') duration_seconds!: number;
  /** Computed: the file of the picture. */
  image_file_id!: string | null;
  /** Computed: the rows of `course_lecturers`, in their order. */
  lecturer_ids!: string[];
  /** Computed: the rows of `course_categories`, in their order. */
  category_ids!: string[];
}
