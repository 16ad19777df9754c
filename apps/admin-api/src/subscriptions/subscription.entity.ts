import { Column, Entity } from 'typeorm';
import type { PlanType } from '#src/membership-plans/membership-plan.policy.js';
import { RowOfStudent } from '#src/students/row-of-student.js';
import type { Schedule } from '#src/time-zones/period.policy.js';
import type { Standing, SubscriptionState } from './standing.policy.js';

const NULLABLE_INSTANT = { type: 'timestamptz', precision: 3, nullable: true } as const;

@Entity('subscriptions')
export class Subscription extends RowOfStudent implements Standing {
  @Column('uuid') student_id!: string;
  @Column('uuid') plan_id!: string;
  @Column('uuid') price_id!: string;
  @Column('text') plan_type!: PlanType;
  @Column({ type: 'text', nullable: true }) billing_interval!: Schedule['interval'] | null;
  @Column('int') interval_count!: number;
  /** The state at the last change. `standingAt` computes the state at an instant. */
  @Column('text') state!: SubscriptionState;
  @Column({ type: 'timestamptz', precision: 3 }) state_since!: Date;
  @Column(NULLABLE_INSTANT) started_at!: Date | null;
  @Column(NULLABLE_INSTANT) trial_ends_at!: Date | null;
  @Column(NULLABLE_INSTANT) current_period_start!: Date | null;
  @Column(NULLABLE_INSTANT) current_period_end!: Date | null;
  @Column('boolean') cancel_at_period_end!: boolean;
  @Column({ type: 'text', nullable: true }) cancel_reason!: string | null;
  @Column(NULLABLE_INSTANT) ended_at!: Date | null;
  @Column(NULLABLE_INSTANT) anchor_at!: Date | null;
  @Column('int') period_number!: number;
  @Column(NULLABLE_INSTANT) live_until!: Date | null;
  @Column(NULLABLE_INSTANT) changes_at!: Date | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Computed: the name of the plan. */
  plan_name!: string;
}
