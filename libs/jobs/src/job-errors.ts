/** Thrown by a job that no later attempt can complete. The job is dead at once. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/** Thrown when a lease ended before its job. Another replica may have the job, so the transaction must roll back. */
export class LostLease extends Error {
  override readonly name = 'LostLease';

  constructor(queue: string) {
    super(`The lease of a job of ${queue} ended before the job`);
  }
}
