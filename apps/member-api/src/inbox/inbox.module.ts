import { Module } from '@nestjs/common';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { NotificationsResolver } from './notifications.resolver.js';
import { NotificationsTools } from './notifications.tools.js';

@Module({ imports: [NotificationsModule, ReadingModule], providers: [NotificationsResolver, NotificationsTools] })
export class InboxModule {}
