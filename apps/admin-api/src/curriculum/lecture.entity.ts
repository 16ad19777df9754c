import { Column, Entity } from 'typeorm';
import { LinkedRow } from '#src/urls/linked-row.js';
import type { Attachment } from './attachment.policy.js';
import type { LectureState, LectureType } from './lecture.policy.js';

@Entity('lectures')
export class Lecture extends LinkedRow {
  @Column('uuid') course_id!: string;
  @Column('uuid') section_id!: string;
  @Column('text') slug!: string;
  @Column('text') title!: string;
  @Column('int') position!: number;
  @Column('text') lecture_type!: LectureType;
  @Column('text') state!: LectureState;
  @Column('boolean') free_preview!: boolean;
  @Column('int') duration_seconds!: number;
  @Column({ type: 'text', nullable: true }) content_html!: string | null;
  @Column('jsonb') attachments!: Attachment[];
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at!: Date | null;
}
