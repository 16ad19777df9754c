import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { CommentState, CommentableType } from './comment.policy.js';

@Entity('comments')
export class Comment extends SiteRow {
  @Column('text') commentable_type!: CommentableType;
  @Column('uuid') commentable_id!: string;
  @Column({ type: 'uuid', nullable: true }) course_id!: string | null;
  @Column({ type: 'uuid', nullable: true }) parent_id!: string | null;
  @Column('uuid') student_id!: string;
  @Column('text') body!: string;
  @Column('text') state!: CommentState;
  @Column('int') replies_count!: number;
  @Column({ type: 'timestamptz', precision: 3 }) posted_at!: Date;
  /** Computed: the current name of the student. */
  author_name!: string;
  /** Computed: the person of the student. */
  author_person_id!: string | null;
  /** Computed: the person of the author of the parent. */
  parent_person_id!: string | null;
  /** Computed. */
  path!: string;
}
