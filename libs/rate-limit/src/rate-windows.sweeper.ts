import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '@lyceum/platform';
import { RateWindowsRepository } from './rate-windows.repository.js';

const PAUSE_MS = 10 * 60_000;

/** Deletes windows that ended long ago. */
@Injectable()
export class RateWindowsSweeper extends PeriodicWork {
  constructor(private readonly windows: RateWindowsRepository) {
    super(PAUSE_MS, 'old rate windows could not be removed');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.windows.sweep()));
  }
}
