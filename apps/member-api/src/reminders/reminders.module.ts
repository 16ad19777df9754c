import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { RemindersConsumer } from './reminders.consumer.js';
import { RemindersRepository } from './reminders.repository.js';
import { RemindersService } from './reminders.service.js';
import { RemindersWorker } from './reminders.worker.js';

@Module({
  imports: [FanOutsModule, NotificationsModule],
  providers: [RemindersRepository, RemindersService, RemindersConsumer, RemindersWorker],
  exports: [RemindersService],
})
export class RemindersModule {}
