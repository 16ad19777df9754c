import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { PlanPrice, PlanState, PlanType } from './membership-plan.policy.js';

@Entity('membership_plans')
export class MembershipPlan extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) description_html!: string | null;
  @Column('text') plan_type!: PlanType;
  @Column('text') state!: PlanState;
  @Column('boolean') visible!: boolean;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ends_at!: Date | null;
  @Column({ type: 'int', nullable: true }) access_days!: number | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) access_ends_at!: Date | null;
  @Column({ type: 'int', nullable: true }) quantity!: number | null;
  @Column('int') sold_count!: number;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Computed: the rows of `membership_plan_prices`, in their order. */
  prices!: readonly PlanPrice[];
  /** Computed: all courses of the plan, by their ids. */
  course_ids!: readonly string[];
  /** Computed: the published ones. */
  courses_count!: number;
}

/** Members of a plan that other tables keep. */
export type PlanParts = Partial<Pick<MembershipPlan, 'prices' | 'course_ids'>>;
