import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { MarkAllNotificationsReadPayload, MarkNotificationReadPayload } from '#src/inbox/notification.schema.js';
import { UpdateNotificationSubscriptionPayload } from '#src/notification-subscriptions/notification-subscription.schema.js';
import { LookupsResolver } from './lookups.resolver.js';
import { payloadViewer } from './payload-viewer.resolver.js';
import { ViewerResolver } from './viewer.resolver.js';
import { ViewerTools } from './viewer.tools.js';

const PAYLOADS = [MarkNotificationReadPayload, MarkAllNotificationsReadPayload, UpdateNotificationSubscriptionPayload];
export const VIEWER_RESOLVERS = [ViewerResolver, LookupsResolver, ...PAYLOADS.map(payloadViewer)];

@Module({ imports: [ReadingModule], providers: [...VIEWER_RESOLVERS, ViewerTools] })
export class ViewerModule {}
