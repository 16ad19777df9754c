import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { AnnouncementState } from './announcement.policy.js';
import type { Purpose } from './announcement.schema.js';

@Entity('announcements')
export class Announcement extends SiteRow {
  @Column('text') title!: string;
  @Column({ type: 'text', nullable: true }) body!: string | null;
  @Column('text') purpose!: Purpose;
  @Column({ type: 'text', nullable: true }) path!: string | null;
  @Column('text') state!: AnnouncementState;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) sends_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) sent_at!: Date | null;
  /** Null until the members have received it. */
  @Column({ type: 'int', nullable: true }) recipients_count!: number | null;
  @Column({ type: 'uuid', nullable: true }) course_id!: string | null;
  @Column({ type: 'uuid', nullable: true }) membership_plan_id!: string | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
