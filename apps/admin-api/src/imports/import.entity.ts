import { SiteRow } from '@lyceum/collections';
import type { DATA_FORMATS, IMPORT_COLLECTIONS } from '@lyceum/contracts';
import type { Actor } from '@lyceum/platform';
import { Column, Entity } from 'typeorm';
import type { ImportMode } from '#src/import-rows/import-mode.js';
import type { Fault } from './import.faults.js';
import type { ColumnMapping } from './column-mapping.js';
import type { ImportEncoding, ImportError, ImportState, RowCounts } from './import.policy.js';

@Entity('imports')
export class Import extends SiteRow implements RowCounts {
  @Column('uuid') created_by!: string;
  /** The client and the surface of the request: the changes of students name them. */
  @Column({ type: 'text', nullable: true }) client_id!: string | null;
  @Column('text') via!: Actor['via'];
  @Column('text') collection!: (typeof IMPORT_COLLECTIONS)[number];
  @Column('text') format!: (typeof DATA_FORMATS)[number];
  @Column('text') encoding!: ImportEncoding;
  /** Members by the names of columns of the file. Null: the column is left out. */
  @Column('jsonb') mapping!: ColumnMapping;
  @Column('uuid') upload_id!: string;
  @Column('text') mode!: ImportMode;
  @Column({ type: 'uuid', nullable: true }) course_id!: string | null;
  @Column({ type: 'uuid', nullable: true }) plan_id!: string | null;
  @Column('boolean') send_welcome_email!: boolean;
  @Column('text') state!: ImportState;
  @Column({ type: 'text', nullable: true }) error!: ImportError | null;
  @Column('int') rows_total!: number;
  /** The outcomes that the check expects. */
  @Column({ type: 'jsonb', nullable: true }) preview!: RowCounts | null;
  @Column('int') rows_created!: number;
  @Column('int') rows_updated!: number;
  @Column('int') rows_skipped!: number;
  @Column('int') rows_failed!: number;
  @Column('int') faults_count!: number;
  @Column('jsonb') faults!: readonly Fault[];
  /** Key of the file of faults in the store. */
  @Column({ type: 'text', nullable: true }) report_key!: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at!: Date;
  /** Keys of the parts with valid rows in the store. */
  @Column({ type: 'text', array: true }) parts!: readonly string[];
  /** The job: see `libs/jobs`. */
  @Column({ type: 'timestamptz', precision: 3 }) due_at!: Date;
  @Column('int') attempts!: number;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at!: Date | null;
}
