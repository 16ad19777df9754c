import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { LecturesConsumer } from './lectures.consumer.js';

@Module({ imports: [FanOutsModule], providers: [LecturesConsumer] })
export class LecturesModule {}
