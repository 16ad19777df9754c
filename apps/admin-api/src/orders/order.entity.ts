import { SiteRow } from '@lyceum/collections';
import type { OrderItemType } from '@lyceum/contracts';
import { Column, Entity } from 'typeorm';
import type { OrderState } from './order-record.policy.js';
import type { LineMoney, RefundableLine, RefundedLine } from './order.policy.js';

@Entity('orders')
export class Order extends SiteRow {
  @Column('text') number!: string;
  @Column('text') state!: OrderState;
  @Column('uuid') student_id!: string;
  @Column('text') currency!: string;
  @Column('bigint') subtotal_minor!: number;
  @Column('bigint') discount_minor!: number;
  @Column('bigint') tax_minor!: number;
  /** True when the amounts of the lines include the tax. */
  @Column('boolean') tax_included!: boolean;
  @Column('bigint') total_minor!: number;
  @Column('bigint') refunded_minor!: number;
  @Column({ type: 'text', nullable: true }) coupon_code!: string | null;
  @Column({ type: 'text', nullable: true }) payment_method!: string | null;
  @Column('text') source!: string;
  /** The subscription that the order renews. */
  @Column({ type: 'uuid', nullable: true }) subscription_id!: string | null;
  /** The different types of the lines. */
  @Column({ type: 'text', array: true }) item_types!: OrderItemType[];
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) paid_at!: Date | null;
  /** Why a payment of the pending order was refused. The release before leaves it when it moves the order. */
  @Column({ type: 'text', nullable: true }) payment_refusal!: string | null;
  /** When the last refund took place. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) refunded_at!: Date | null;
  /** Computed: the name and the address of the student. */
  buyer_name!: string;
  buyer_email!: string;
  /** Computed: the rows of `order_lines`, by their positions. */
  line_items!: readonly OrderLine[];
  /** Computed: the rows of `order_refunds`, the first one first. */
  refunds!: readonly OrderRefund[];
}

/** A line as PostgreSQL writes it in JSON. */
export interface OrderLine extends LineMoney, RefundableLine {
  readonly item_type: OrderItemType;
  readonly item_id: string;
  readonly name: string;
  /** Before discount and tax. */
  readonly amount_minor: number;
  /** Null until the order is paid. */
  readonly granted_id: string | null;
  readonly taken_back: boolean;
}

export interface OrderRefund {
  readonly id: string;
  readonly amount_minor: number;
  readonly line_items: readonly RefundedLine[];
  readonly reason: string | null;
  readonly refunded_at: string;
}
