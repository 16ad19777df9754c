import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { FILE_JOB_QUEUE } from '#src/file-jobs/file-job.policy.js';
import type { Export } from './export.entity.js';

type Columns =
  | 'site_id'
  | 'id'
  | 'created_by'
  | 'collection'
  | 'format'
  | 'filters'
  | 'columns'
  | 'state'
  | 'rows_count'
  | 'bytes'
  | 'created_at';

export interface ExportJob extends Pick<Export, Columns> {
  readonly cursor: string | null;
  readonly all_read: boolean;
  readonly parts_count: number;
  /** Empty until all rows are read: only the last run needs the keys. */
  readonly parts: readonly string[];
}

const COLUMNS = [
  'site_id',
  'id',
  'created_by',
  'collection',
  'format',
  'filters',
  'columns',
  'state',
  'rows_count',
  'bytes',
  'created_at',
  'cursor',
  'all_read',
] as const satisfies readonly (keyof ExportJob)[];

export const EXPORTS: QueueDeclaration = {
  ...FILE_JOB_QUEUE,
  name: 'exports',
  table: 'exports',
  columns: [
    ...COLUMNS.map((column) => `job.${column}`),
    'cardinality(job.parts) as parts_count',
    `case when job.all_read then job.parts else '{}' end as parts`,
  ],
};

@Injectable()
export class ExportQueue extends JobQueue<ExportJob> {
  constructor(sql: Sql) {
    super(EXPORTS, sql);
  }
}
