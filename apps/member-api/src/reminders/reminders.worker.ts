import { Injectable } from '@nestjs/common';
import { RowWork } from '#src/work/row-work.js';
import { RemindersService } from './reminders.service.js';

const PAUSE_MS = 1_000;

@Injectable()
export class RemindersWorker extends RowWork {
  constructor(private readonly reminders: RemindersService) {
    super(PAUSE_MS);
  }

  protected override step(): Promise<boolean> {
    return this.reminders.sendOne();
  }
}
