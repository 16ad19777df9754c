import { Module } from '@nestjs/common';
import { FanOutsRepository } from './fan-outs.repository.js';
import { FanOutsService } from './fan-outs.service.js';
import { FanOutsWorker } from './fan-outs.worker.js';

@Module({ providers: [FanOutsRepository, FanOutsService, FanOutsWorker], exports: [FanOutsService] })
export class FanOutsModule {}
