import { SiteRow } from '@lyceum/collections';
import type { FILE_PURPOSES, FILE_STATES } from '@lyceum/contracts';
import type { ContentType } from '@lyceum/storage';
import { Column, Entity } from 'typeorm';
import type { Rejection } from './file.policy.js';

@Entity('files')
export class File extends SiteRow {
  @Column('uuid') uploader_id!: string;
  @Column('text') purpose!: (typeof FILE_PURPOSES)[number];
  @Column('text') filename!: string;
  @Column('text') content_type!: ContentType;
  @Column('int') bytes!: number;
  @Column('text') sha256!: string;
  @Column('text') state!: (typeof FILE_STATES)[number];
  /** Why the file is rejected. Null in other states. */
  @Column({ type: 'text', nullable: true }) rejection!: Rejection | null;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at!: Date;
  /** Null while something uses the file. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) sweep_at!: Date | null;
  /** Until then one request or sweep checks the file, and no other does. Null: none. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) checked_until!: Date | null;
  /** Rows of `file_uses`, counted by PostgreSQL. */
  @Column('int') uses!: number;
}
