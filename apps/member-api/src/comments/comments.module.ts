import { Module } from '@nestjs/common';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { CommentsConsumer } from './comments.consumer.js';

@Module({ imports: [NotificationsModule], providers: [CommentsConsumer] })
export class CommentsModule {}
