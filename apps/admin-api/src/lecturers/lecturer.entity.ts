import { Column, Entity } from 'typeorm';
import { LinkedRow } from '#src/urls/linked-row.js';
import type { LecturerCreate } from './lecturer.schema.js';

@Entity('lecturers')
export class Lecturer extends LinkedRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column({ type: 'text', nullable: true }) bio_html!: string | null;
  @Column({ type: 'text', nullable: true }) avatar_url!: string | null;
  @Column({ type: 'text', nullable: true }) email!: string | null;
  @Column({ type: 'uuid', nullable: true }) member_id!: string | null;
  /** False after an administrator has unlinked the member: role events do not link the lecturer again. */
  @Column('boolean') follows_email!: boolean;
  @Column('jsonb') social_links!: LecturerCreate['social_links'];
  @Column('int') position!: number;
  @Column('boolean') visible!: boolean;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Computed: the file of the picture. */
  avatar_file_id!: string | null;
}
