import { SiteRow } from '@lyceum/collections';
import type { Money } from '@lyceum/rest';
import { Column, Entity } from 'typeorm';
import type { BillingInterval, PlanState, PlanType } from './membership-plan.schema.js';

@Entity('membership_plans')
export class MembershipPlan extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) description_html!: string | null;
  @Column('text') plan_type!: PlanType;
  @Column('text') state!: PlanState;
  @Column('boolean') visible!: boolean;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ends_at!: Date | null;
  @Column({ type: 'int', nullable: true }) quantity!: number | null;
  @Column('int') sold_count!: number;
  /** Computed: the rows of `membership_plan_prices`, in their order. */
  prices!: {
    readonly id: string;
    readonly interval: BillingInterval | null;
    readonly interval_count: number;
    readonly price: Money;
    readonly trial_days: number;
  }[];
  /** Computed: all courses of the plan. */
  course_ids!: string[];
  /** Computed: the published ones. */
  courses_count!: number;
}
