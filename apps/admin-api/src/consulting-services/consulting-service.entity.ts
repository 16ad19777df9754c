import { Money, SiteRow } from '@lyceum/collections';
import type { HostingType } from '@lyceum/contracts';
import { Column, Entity } from 'typeorm';
import type { PublicationState } from '#src/publication/publication.policy.js';

@Entity('consulting_services')
export class ConsultingService extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) description_html!: string | null;
  @Column({ type: 'text', nullable: true }) image_url!: string | null;
  @Column('text') state!: PublicationState;
  @Column('text') timezone!: string;
  @Column('int') duration_minutes!: number;
  @Column('int') sessions_included!: number;
  /** Days until the sessions of a purchase expire. Null: never. */
  @Column({ type: 'int', nullable: true }) validity_days!: number | null;
  @Column('int') cancel_notice_hours!: number;
  /** Null: not for sale. */
  @Column(() => Money) price!: Money | null;
  @Column('text') hosting_type!: HostingType;
  @Column({ type: 'text', nullable: true }) location!: string | null;
  @Column({ type: 'text', nullable: true }) join_url!: string | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Grows with each edit. */
  @Column('int') revision!: number;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at!: Date | null;
  /** Computed: the rows of `consulting_service_lecturers`, in their order. */
  lecturer_ids!: string[];
  /** Computed: the first lecturer. */
  lecturer!: { readonly lecturer_id: string; readonly name: string } | null;
}

/** The members of a service that slots, purchases and bookings need. */
export type ConsultingTerms = Pick<
  ConsultingService,
  | 'state'
  | 'timezone'
  | 'duration_minutes'
  | 'sessions_included'
  | 'validity_days'
  | 'cancel_notice_hours'
  | 'join_url'
  | 'lecturer_ids'
>;
