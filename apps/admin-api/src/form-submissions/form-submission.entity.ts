import { SiteRow } from '@lyceum/collections';
import type { FormAnswers } from '@lyceum/contracts';
import { Column, Entity } from 'typeorm';

@Entity('form_submissions')
export class FormSubmission extends SiteRow {
  @Column('uuid') form_id!: string;
  @Column({ type: 'uuid', nullable: true }) student_id!: string | null;
  @Column('jsonb') answers!: FormAnswers;
  @Column({ type: 'timestamptz', precision: 3 }) submitted_at!: Date;
  /** Computed: the member of the student. */
  member_id!: string | null;
  /** Computed. */
  form_slug!: string;
}
