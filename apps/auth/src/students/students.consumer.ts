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
    if (!isErasedEmail(data.email)) return this.students.apply(event, tx);
    // Follows the removal of a member, which has already ended the roles.
    await this.students.applyErasure(event, tx);
    await this.outbox.erase(tx, studentEvents, { aggregate_id, epoch, version });
  }
}
