import { SiteRow } from '@lyceum/collections';
import type { EXPORT_COLLECTIONS, DATA_FORMATS } from '@lyceum/contracts';
import { Column, Entity } from 'typeorm';
import type { ExportError, ExportState } from './export.policy.js';
import type { ExportFilters } from './export.schema.js';

@Entity('exports')
export class Export extends SiteRow {
  @Column('uuid') created_by!: string;
  @Column('text') collection!: (typeof EXPORT_COLLECTIONS)[number];
  @Column('text') format!: (typeof DATA_FORMATS)[number];
  @Column('jsonb') filters!: ExportFilters;
  /** Columns of a CSV file that depend on the time of the request. Null: those of the collection. */
  @Column({ type: 'text', array: true, nullable: true }) columns!: string[] | null;
  @Column('text') state!: ExportState;
  @Column({ type: 'text', nullable: true }) error!: ExportError | null;
  @Column('int') rows_count!: number;
  @Column('int') bytes!: number;
  /** True when the file has rows that the fence of teachers would hide. */
  @Column('boolean') whole!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at!: Date;
  /** Storage key of the file. Null until the export is ready. */
  @Column({ type: 'text', nullable: true }) file_key!: string | null;
  /** When the job ended: see `QueueDeclaration`. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at!: Date | null;
}
