import { Injectable } from '@nestjs/common';
import { RowWork } from '#src/work/row-work.js';
import { FanOutsRepository } from './fan-outs.repository.js';

const PAUSE_MS = 500;
/** People told in one transaction: some tens of milliseconds, after which it is another site's turn. */
const BATCH = 500;

/** Tells many people of one thing, batch by batch, while the readers of events go on. */
@Injectable()
export class FanOutsWorker extends RowWork {
  constructor(private readonly fanOuts: FanOutsRepository) {
    super(PAUSE_MS);
  }

  protected override step(): Promise<boolean> {
    return this.fanOuts.batch(BATCH);
  }
}
