import { Money, SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { Duration } from './coupon-duration.policy.js';
import type { CouponState } from './coupon.policy.js';
import type { AppliesTo, Discount } from './discount.policy.js';

@Entity('coupons')
export class Coupon extends SiteRow {
  @Column('text') name!: string;
  /** As the school writes it. The type compares without case. */
  @Column('citext') code!: string;
  @Column('jsonb') discount!: Discount;
  @Column('text') duration!: Duration;
  @Column({ type: 'int', nullable: true }) duration_months!: number | null;
  @Column('jsonb') applies_to!: AppliesTo;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) starts_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expires_at!: Date | null;
  @Column({ type: 'int', nullable: true }) max_redemptions!: number | null;
  @Column({ type: 'int', nullable: true }) max_per_member!: number | null;
  @Column(() => Money) min_order!: Money | null;
  @Column('boolean') active!: boolean;
  /** Null: active, or deactivated by the release before. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) deactivated_at!: Date | null;
  /** The state at the last change, by which lists filter. `stateAt` computes the state at an instant. */
  @Column('text') state!: CouponState;
  /** A redemption changes it in its transaction, and leaves `version` and `updated_at`. */
  @Column('int') redeemed_count!: number;
  /** Stays when the redemption is returned. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) first_redeemed_at!: Date | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
