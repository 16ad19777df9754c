import { Module } from '@nestjs/common';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { CommentsConsumer } from './comments.consumer.js';
import { CommentsRepository } from './comments.repository.js';

@Module({ imports: [NotificationsModule], providers: [CommentsConsumer, CommentsRepository] })
export class CommentsModule {}
