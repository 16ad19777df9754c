import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StudentState } from './student.state.js';

@Entity('students')
export class Student {
  @PrimaryColumn('uuid') site_id!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', nullable: true }) person_id!: string | null;
  @Column('text') email!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) phone_number!: string | null;
  @Column({ type: 'text', nullable: true }) avatar_url!: string | null;
  @Column({ type: 'text', nullable: true }) locale!: string | null;
  @Column('text') state!: StudentState;
  @Column({ type: 'text', array: true }) tags!: string[];
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('int') enrollments_count!: number;
  /** Of its events. */
  @Column('int') version!: number;
  /** Of its edits: what the entity tag shows. */
  @Column('int') revision!: number;
  @Column({ type: 'timestamptz', precision: 3 }) created_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at!: Date;
}
