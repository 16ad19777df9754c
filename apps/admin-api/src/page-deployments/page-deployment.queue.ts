import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { FILE_JOB_QUEUE } from '#src/file-jobs/file-job.policy.js';
import type { PageDeployment } from './page-deployment.entity.js';

/** A deployment whose zip file is to be checked. */
export type DeploymentJob = Pick<PageDeployment, 'site_id' | 'id' | 'page_id' | 'file_id' | 'state'>;

const COLUMNS: readonly (keyof DeploymentJob)[] = ['site_id', 'id', 'page_id', 'file_id', 'state'];

export const PAGE_DEPLOYMENTS: QueueDeclaration = {
  ...FILE_JOB_QUEUE,
  name: 'page_deployments',
  table: 'page_deployments',
  columns: COLUMNS.map((column) => `job.${column}`),
};

@Injectable()
export class PageDeploymentQueue extends JobQueue<DeploymentJob> {
  constructor(sql: Sql) {
    super(PAGE_DEPLOYMENTS, sql);
  }
}
