/** The job cannot succeed later either: it becomes dead at once. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/** The lease ended before the job did, and another replica may have the job. The transaction rolls back. */
export class LostLease extends Error {
  override readonly name = 'LostLease';

  constructor(queue: string) {
    super(`The lease of a job of ${queue} ended before the job`);
  }
}
