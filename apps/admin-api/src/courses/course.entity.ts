import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CourseState, CourseType } from './course.policy.js';

@Entity('courses')
export class Course {
  @PrimaryColumn('uuid') site_id!: string;
  @PrimaryColumn('uuid') id!: string;
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
  @Column({ type: 'text', nullable: true }) seo_title!: string | null;
  @Column({ type: 'text', nullable: true }) seo_description!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at!: Date | null;
  @Column('int') enrollments_count!: number;
  @Column('int') version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) created_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at!: Date;
}
