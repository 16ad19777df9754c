export { endJobsCommand, jobCommand } from './job.command.js';
export { JobMetrics } from './job-metrics.js';
export { JobQueue } from './job-queue.js';
export type { Job } from './job-queue.js';
export { JobWorker } from './job-worker.js';
export { JobsModule } from './jobs.module.js';
export { LostLease, PermanentFailure } from './job-errors.js';
export type { QueueDeclaration } from './queue-declaration.js';
export { retrySeconds } from './retry.policy.js';
