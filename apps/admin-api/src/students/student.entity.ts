import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { StudentState } from './student.policy.js';

@Entity('students')
export class Student extends SiteRow {
  /** The id of the person in auth. No response contains it. */
  @Column({ type: 'uuid', nullable: true }) person_id!: string | null;
  @Column({ type: 'uuid', nullable: true }) member_id!: string | null;
  @Column('text') email!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) phone_number!: string | null;
  @Column({ type: 'text', nullable: true }) avatar_url!: string | null;
  @Column({ type: 'text', nullable: true }) locale!: string | null;
  @Column('text') state!: StudentState;
  @Column({ type: 'text', array: true }) tags!: string[];
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  @Column('int') enrollments_count!: number;
  /** Computed: when the student last watched a lecture. */
  last_seen_at!: Date | null;
  /** Grows with each edit: the entity tag shows it. */
  @Column('int') revision!: number;
}
