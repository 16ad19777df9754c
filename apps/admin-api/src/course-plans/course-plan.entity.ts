import { Money, SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { CoursePlanInterval, CoursePlanType } from './course-plan.policy.js';

@Entity('course_plans')
export class CoursePlan extends SiteRow {
  @Column('uuid') course_id!: string;
  @Column('text') name!: string;
  @Column('text') plan_type!: CoursePlanType;
  /** Null: free. */
  @Column(() => Money) price!: Money | null;
  @Column({ type: 'text', nullable: true }) interval!: CoursePlanInterval | null;
  @Column({ type: 'int', nullable: true }) interval_count!: number | null;
  @Column({ type: 'int', nullable: true }) access_days!: number | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) access_ends_at!: Date | null;
  @Column('int') position!: number;
  @Column('boolean') active!: boolean;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
