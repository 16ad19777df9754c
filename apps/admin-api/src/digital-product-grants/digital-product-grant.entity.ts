import { Column, Entity } from 'typeorm';
import { RowOfStudent } from '#src/students/row-of-student.js';
import type { GrantSource, GrantState } from './digital-product-grant.policy.js';

@Entity('digital_product_grants')
export class DigitalProductGrant extends RowOfStudent {
  @Column('uuid') digital_product_id!: string;
  @Column('uuid') student_id!: string;
  /** The stored state, which follows the clock. `stateAt` computes the state at an instant. */
  @Column('text') state!: GrantState;
  @Column('text') source!: GrantSource;
  @Column({ type: 'timestamptz', precision: 3 }) granted_at!: Date;
  /** Null: for life. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expires_at!: Date | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
