import { PUBLIC_ENTITIES, roleEvents } from '@lyceum/contracts';
import type { DomainEvent } from '@lyceum/contracts';
import { Consumes } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ChangeRecorder } from './change.recorder.js';

/** Records changes from the events of this service and from those of members. */
@Injectable()
export class ChangeConsumer {
  constructor(private readonly recorder: ChangeRecorder) {}

  @Consumes(PUBLIC_ENTITIES.changes, 'changes')
  recordOwn(events: readonly DomainEvent[], tx: EntityManager): Promise<void> {
    return this.recorder.record(events, tx);
  }

  @Consumes(PUBLIC_ENTITIES['student-changes'], 'student-changes')
  recordStudents(events: readonly DomainEvent[], tx: EntityManager): Promise<void> {
    return this.recorder.record(events, tx);
  }

  @Consumes(roleEvents, 'member-changes')
  recordMembers(events: readonly DomainEvent[], tx: EntityManager): Promise<void> {
    return this.recorder.record(events, tx);
  }
}
