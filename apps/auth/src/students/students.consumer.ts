import { Injectable } from '@nestjs/common';
import { isErasedEmail, studentEvents } from '@lyceum/contracts';
import { ConsumesEach, Outbox } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { StudentsService } from './students.service.js';

@Injectable()
export class StudentsConsumer {
  constructor(
    private readonly students: StudentsService,
    private readonly outbox: Outbox,
  ) {}

  @ConsumesEach(studentEvents, 'students')
  async apply(event: EventOf<[typeof studentEvents]>, tx: EntityManager): Promise<void> {
    const { aggregate_id, epoch, aggregate_version: version, data } = event;
    // Follows the removal of a member, which has already ended the roles.
    if (isErasedEmail(data.email)) await this.outbox.erase(tx, { aggregate_id, epoch, version });
    else await this.students.apply(event, tx);
  }
}
