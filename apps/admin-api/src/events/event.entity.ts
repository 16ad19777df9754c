import { SiteRow } from '@lyceum/collections';
import type { HostingType } from '@lyceum/contracts';
import type { Money } from '@lyceum/rest';
import { Column, Entity } from 'typeorm';
import type { EventState } from './event.policy.js';

@Entity('events')
export class Event extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) description_html!: string | null;
  @Column({ type: 'text', nullable: true }) image_url!: string | null;
  /** The stored state. `stateAt` computes the state at an instant. */
  @Column('text') state!: EventState;
  @Column('text') hosting_type!: HostingType;
  @Column({ type: 'text', nullable: true }) join_url!: string | null;
  @Column({ type: 'text', nullable: true }) location!: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) starts_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) ends_at!: Date;
  @Column('text') timezone!: string;
  @Column({ type: 'int', nullable: true }) capacity!: number | null;
  @Column('boolean') waitlist!: boolean;
  /** Taken places. They change in the transaction of each registration. */
  @Column('int') registrations_count!: number;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) canceled_at!: Date | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  @Column('int') revision!: number;
  /** Computed: the rows of `event_tickets`, in their order. */
  tickets!: EventTicketPart[];
}

/** A ticket in the object of its event, without the sold places. */
export interface EventTicketPart {
  readonly id: string;
  readonly name: string;
  readonly price: Money;
  readonly capacity: number | null;
  readonly position: number;
  /** All places of the ticket are taken. */
  readonly sold_out: boolean;
}
