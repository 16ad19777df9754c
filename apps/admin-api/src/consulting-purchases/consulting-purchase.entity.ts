import { Column, Entity } from 'typeorm';
import { RowOfStudent } from '#src/students/row-of-student.js';
import type { StoredPurchaseState } from './consulting-purchase.policy.js';

@Entity('consulting_purchases')
export class ConsultingPurchase extends RowOfStudent {
  @Column('uuid') consulting_service_id!: string;
  @Column('uuid') student_id!: string;
  /** The stored state. `stateAt` computes the state at an instant. */
  @Column('text') state!: StoredPurchaseState;
  @Column({ type: 'timestamptz', precision: 3 }) purchased_at!: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expires_at!: Date | null;
  @Column('int') sessions_total!: number;
  @Column('int') sessions_used!: number;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
