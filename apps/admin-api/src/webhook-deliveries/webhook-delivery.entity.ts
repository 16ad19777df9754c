import { SiteRow } from '@lyceum/collections';
import type { WEBHOOK_DELIVERY_STATES } from '@lyceum/contracts';
import { Column, Entity } from 'typeorm';

@Entity('webhook_deliveries')
export class WebhookDelivery extends SiteRow {
  @Column('uuid') endpoint_id!: string;
  @Column('uuid') event_id!: string;
  @Column('text') event_type!: string;
  /** Null: a test. */
  @Column({ type: 'text', nullable: true }) object_id!: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) occurred_at!: Date;
  @Column('jsonb') data!: unknown;
  @Column('text') state!: (typeof WEBHOOK_DELIVERY_STATES)[number];
  @Column('int') attempts!: number;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) due_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) attempted_at!: Date | null;
  @Column({ type: 'int', nullable: true }) response_status!: number | null;
  @Column({ type: 'int', nullable: true }) response_ms!: number | null;
  @Column({ type: 'text', nullable: true }) error!: string | null;
  @Column({ type: 'text', nullable: true }) response_body!: string | null;
}
