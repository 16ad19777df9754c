import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { InboxRepository } from './inbox.repository.js';
import { LIMITS } from '../connection/limits.js';

/** Deletes inbox rows that no delivery can need, a small batch at a time. */
@Injectable()
export class InboxSweeper extends PeriodicWork {
  constructor(private readonly inbox: InboxRepository) {
    super(LIMITS.inboxSweep, 'the inbox could not be swept');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.inbox.sweep()) === LIMITS.inboxSweepBatch);
  }
}
