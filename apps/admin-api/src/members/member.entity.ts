import { SiteRow } from '@lyceum/collections';
import type { MemberState, Role } from '@lyceum/contracts';
import { Column, Entity } from 'typeorm';
import type { CustomFields } from './custom-field.policy.js';

@Entity('members')
export class Member extends SiteRow {
  @Column({ type: 'text', nullable: true }) email!: string | null;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) phone_number!: string | null;
  @Column({ type: 'text', nullable: true }) avatar_url!: string | null;
  @Column({ type: 'text', nullable: true }) locale!: string | null;
  @Column('text') state!: MemberState;
  @Column({ type: 'text', array: true }) roles!: Role[];
  @Column({ type: 'timestamptz', precision: 3 }) joined_at!: Date;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  @Column({ type: 'text', array: true }) tags!: string[];
  @Column('jsonb') custom_fields!: CustomFields;
  /** Computed: the file of the picture. */
  avatar_file_id!: string | null;
  /** Computed: the live subscriptions of the student of the member. */
  active_subscription_ids!: readonly string[];
  /** Computed: the live enrollments of the student of the member. */
  enrollments_count!: number;
  /** Computed: when that student last watched a lecture. */
  last_seen_at!: Date | null;
  /** Incremented by each change. The entity tag contains it. */
  @Column('int') revision!: number;
  /** Computed: what the orders of the member cost after refunds, by currency. */
  total_spent!: readonly { readonly amount_minor: number; readonly currency: string }[];
}
