import { Module } from '@nestjs/common';
import { JobsModule } from '@lyceum/jobs';
import { FanOutsQueue } from './fan-outs.queue.js';
import { FanOutsRepository } from './fan-outs.repository.js';
import { FanOutsService } from './fan-outs.service.js';
import { FanOutsWorker } from './fan-outs.worker.js';

@Module({
  imports: [JobsModule],
  providers: [FanOutsQueue, FanOutsRepository, FanOutsService, FanOutsWorker],
  exports: [FanOutsService],
})
export class FanOutsModule {}
