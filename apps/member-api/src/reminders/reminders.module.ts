import { Module } from '@nestjs/common';
import { JobsModule } from '@lyceum/jobs';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { RemindersConsumer } from './reminders.consumer.js';
import { RemindersQueue } from './reminders.queue.js';
import { RemindersRepository } from './reminders.repository.js';
import { RemindersService } from './reminders.service.js';
import { RemindersWorker } from './reminders.worker.js';

@Module({
  imports: [JobsModule, FanOutsModule],
  providers: [RemindersQueue, RemindersRepository, RemindersService, RemindersConsumer, RemindersWorker],
  exports: [RemindersService],
})
export class RemindersModule {}
