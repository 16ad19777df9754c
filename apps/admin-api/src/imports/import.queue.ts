import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { FILE_JOB_QUEUE } from '#src/file-jobs/file-job.policy.js';
import type { Import } from './import.entity.js';

const COLUMNS = [
  'site_id',
  'id',
  'created_by',
  'client_id',
  'via',
  'collection',
  'format',
  'encoding',
  'mapping',
  'upload_id',
  'mode',
  'course_id',
  'plan_id',
  'send_welcome_email',
  'state',
  'faults_count',
  'report_key',
  'created_at',
] as const satisfies readonly (keyof Import)[];

export interface ImportJob extends Pick<Import, (typeof COLUMNS)[number]> {
  readonly parts_done: number;
  readonly parts_count: number;
  /** The next part; null after the last one. */
  readonly part: string | null;
}

export const IMPORTS: QueueDeclaration = {
  ...FILE_JOB_QUEUE,
  name: 'imports',
  table: 'imports',
  columns: [
    ...COLUMNS.map((column) => `job.${column}`),
    'job.parts_done',
    'cardinality(job.parts) as parts_count',
    'job.parts[job.parts_done + 1] as part',
  ],
};

@Injectable()
export class ImportQueue extends JobQueue<ImportJob> {
  constructor(sql: Sql) {
    super(IMPORTS, sql);
  }
}
