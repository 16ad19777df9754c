import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { studentEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { StudentsService } from './students.service.js';

@Injectable()
export class StudentsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly students: StudentsService,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'students',
      stream: 'SCHOOL',
      events: [studentEvents],
      handle: (event, manager) => this.students.apply(event, manager),
    });
  }
}
