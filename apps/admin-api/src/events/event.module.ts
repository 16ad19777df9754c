import { Module } from '@nestjs/common';
import { EventController } from './event.controller.js';
import { EventRepository } from './event.repository.js';
import { EventService } from './event.service.js';
import { EventTools } from './event.tools.js';

@Module({
  controllers: [EventController],
  providers: [EventService, EventRepository, EventTools],
  exports: [EventService],
})
export class EventModule {}
