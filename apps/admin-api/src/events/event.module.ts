import { Module } from '@nestjs/common';
import { EventRepository } from './event.repository.js';
import { EventService } from './event.service.js';
import { EventTools } from './event.tools.js';

@Module({ providers: [EventService, EventRepository, EventTools], exports: [EventService] })
export class EventModule {}
