import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { CourseState, CourseType } from './course.policy.js';

class Seo {
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column({ type: 'text', nullable: true }) description!: string | null;
}

@Entity('courses')
export class Course extends SiteRow {
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
  /** Of the published lectures. A change of the curriculum sets it. */
  @Column('int') duration_seconds!: number;
  /** Computed: the rows of `course_lecturers`, in their order. */
  lecturer_ids!: string[];
  /** Computed: the rows of `course_categories`, in their order. */
  category_ids!: string[];
}
