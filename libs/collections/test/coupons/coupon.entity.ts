import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { CouponObject } from './coupon.schema.js';

@Entity('coupons')
export class Coupon extends SiteRow {
  @Column('text') code!: string;
  @Column('text') name!: string;
  @Column('jsonb') discount!: CouponObject['discount'];
  @Column('text') duration!: CouponObject['duration'];
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) starts_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expires_at!: Date | null;
  @Column({ type: 'int', nullable: true }) max_redemptions!: number | null;
  @Column({ type: 'int', nullable: true }) max_per_member!: number | null;
  @Column({ type: 'jsonb', nullable: true }) min_order!: CouponObject['min_order'];
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  @Column('uuid') created_by!: string;
  @Column('int') redeemed_count!: number;
  @Column('boolean') active!: boolean;
}
