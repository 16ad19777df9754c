import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { ProgressRepository } from './progress.repository.js';
import type { ProgressEvent } from './progress.repository.js';

/** Keeps the last playback of each course, which a rebuild leaves as it is. */
@Injectable()
export class ProgressConsumer {
  constructor(private readonly progress: ProgressRepository) {}

  @Wraps(ProgressRepository, 'apply')
  async applyAndRemember(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    await this.progress.applyWithPlaybacks(events, tx);
  }
}
