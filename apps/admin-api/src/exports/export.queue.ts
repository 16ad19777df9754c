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
  readonly parts: readonly string[];
}

const COLUMNS: readonly (keyof ExportJob)[] = [
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
  'parts',
];

export const EXPORTS: QueueDeclaration = {
  ...FILE_JOB_QUEUE,
  name: 'exports',
  table: 'exports',
  columns: COLUMNS.map((column) => `job.${column}`),
};

@Injectable()
export class ExportQueue extends JobQueue<ExportJob> {
  constructor(sql: Sql) {
    super(EXPORTS, sql);
  }
}
