import { Money, SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';

@Entity('coupon_redemptions')
export class CouponRedemption extends SiteRow {
  @Column('uuid') coupon_id!: string;
  @Column('uuid') order_id!: string;
  @Column('uuid') student_id!: string;
  @Column(() => Money) discount!: Money;
  /** Discounts of the lines of the order, in minor units. */
  @Column('jsonb') discounts!: readonly number[];
  @Column({ type: 'timestamptz', precision: 3 }) redeemed_at!: Date;
  /** True for a further payment of a subscription, which counts for no limit. */
  @Column('boolean') continued!: boolean;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) restored_at!: Date | null;
}
