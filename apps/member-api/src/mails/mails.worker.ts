import { Injectable } from '@nestjs/common';
import { RowWork } from '#src/work/row-work.js';
import { MailsService } from './mails.service.js';

const PAUSE_MS = 1_000;

@Injectable()
export class MailsWorker extends RowWork {
  constructor(private readonly mails: MailsService) {
    super(PAUSE_MS);
  }

  protected override step(): Promise<boolean> {
    return this.mails.sendSome();
  }
}
