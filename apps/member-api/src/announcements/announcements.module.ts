import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { AnnouncementsConsumer } from './announcements.consumer.js';

@Module({ imports: [FanOutsModule], providers: [AnnouncementsConsumer] })
export class AnnouncementsModule {}
