import { Money, SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';

/** A way to take part in an event. */
@Entity('event_tickets')
export class EventTicket extends SiteRow {
  @Column('uuid') event_id!: string;
  @Column('text') name!: string;
  @Column(() => Money) price!: Money;
  /** Null: as many as the event has places. */
  @Column({ type: 'int', nullable: true }) capacity!: number | null;
  /** Taken places. They change in the transaction of each registration. */
  @Column('int') sold_count!: number;
  @Column('int') position!: number;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
