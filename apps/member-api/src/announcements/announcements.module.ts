import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { AnnouncementDeliveriesService } from './announcement-deliveries.service.js';
import { AnnouncementsConsumer } from './announcements.consumer.js';

@Module({ imports: [FanOutsModule], providers: [AnnouncementDeliveriesService, AnnouncementsConsumer] })
export class AnnouncementsModule {}
