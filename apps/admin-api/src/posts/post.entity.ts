import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { PostState } from './post.policy.js';
import type { AccessType } from './post.schema.js';

@Entity('posts')
export class Post extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') title!: string;
  @Column({ type: 'text', nullable: true }) subtitle!: string | null;
  @Column({ type: 'text', nullable: true }) body_html!: string | null;
  @Column({ type: 'text', nullable: true }) excerpt!: string | null;
  @Column({ type: 'text', nullable: true }) cover_url!: string | null;
  @Column('text') access_type!: AccessType;
  /** The stored state. `stateAt` computes the state at an instant. */
  @Column('text') state!: PostState;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at!: Date | null;
  @Column({ type: 'uuid', nullable: true }) category_id!: string | null;
  @Column({ type: 'uuid', nullable: true }) author_id!: string | null;
  @Column({ type: 'uuid', nullable: true }) course_id!: string | null;
  @Column({ type: 'text', array: true }) tags!: string[];
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Computed: the file of the cover. */
  cover_file_id!: string | null;
}
