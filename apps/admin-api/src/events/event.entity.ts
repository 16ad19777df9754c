import { SiteRow } from '@lyceum/collections';
import type { Money } from '@lyceum/rest';
import { Column, Entity } from 'typeorm';
import type { EventState, HostingType } from './event.schema.js';

@Entity('events')
export class Event extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) description_html!: string | null;
  @Column({ type: 'text', nullable: true }) image_url!: string | null;
  @Column('text') state!: EventState;
  @Column('text') hosting_type!: HostingType;
  @Column({ type: 'text', nullable: true }) join_url!: string | null;
  @Column({ type: 'text', nullable: true }) location!: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) starts_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) ends_at!: Date;
  @Column('text') timezone!: string;
  @Column({ type: 'int', nullable: true }) capacity!: number | null;
  @Column('int') registrations_count!: number;
  /** Computed: the rows of `event_tickets`, in their order. */
  tickets!: { readonly id: string; readonly name: string; readonly price: Money }[];
}
