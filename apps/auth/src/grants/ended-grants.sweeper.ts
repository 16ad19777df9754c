import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '@lyceum/platform';
import { GrantsService } from './grants.service.js';

const PAUSE_MS = 5_000;

/** Deletes the rows of grants that ended with all grants of their site or client (ADR 198). */
@Injectable()
export class EndedGrantsSweeper extends PeriodicWork {
  constructor(private readonly grants: GrantsService) {
    super(PAUSE_MS, 'grants that have ended could not be deleted');
  }

  async run(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) if ((await this.grants.deleteEnded()) === 0) return;
  }
}
