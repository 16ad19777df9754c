import { SiteRow } from '@lyceum/collections';
import type { WEBHOOK_ENDPOINT_REASONS, WEBHOOK_ENDPOINT_STATES } from '@lyceum/contracts';
import { Column, Entity } from 'typeorm';
import type { PublicEventType } from '#src/changes/public-event-types.js';

@Entity('webhook_endpoints')
export class WebhookEndpoint extends SiteRow {
  @Column('text') url!: string;
  @Column({ type: 'text', nullable: true }) description!: string | null;
  @Column('text', { array: true }) event_types!: readonly PublicEventType[];
  @Column('text') state!: (typeof WEBHOOK_ENDPOINT_STATES)[number];
  @Column({ type: 'text', nullable: true }) reason!: (typeof WEBHOOK_ENDPOINT_REASONS)[number] | null;
  @Column('uuid') created_by!: string;
  @Column('text') client_id!: string;
  @Column('bytea') sealed_secret!: Buffer;
  @Column({ type: 'bytea', nullable: true }) previous_sealed_secret!: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) previous_secret_until!: Date | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Grows with each edit. */
  @Column('int') revision!: number;
}
