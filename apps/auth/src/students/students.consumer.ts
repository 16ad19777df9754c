import { Injectable } from '@nestjs/common';
import { studentEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { StudentsService } from './students.service.js';

@Injectable()
export class StudentsConsumer {
  constructor(private readonly students: StudentsService) {}

  @ConsumesEach(studentEvents, 'students')
  async apply(event: EventOf<[typeof studentEvents]>, tx: EntityManager): Promise<void> {
    await this.students.apply(event, tx);
  }
}
