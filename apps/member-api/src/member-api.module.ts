import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@lyceum/messaging';
import { DatabaseModule } from '@lyceum/platform';
import { ResourceServerModule } from '@lyceum/resource-server';
import { ToolsModule } from '@lyceum/tools';
import type { Configuration } from './configuration.js';
import { SERVICE, databaseOptions } from './database.js';
import { OriginSettings } from './clients/allowed-origins.service.js';
import { ClientsModule } from './clients/clients.module.js';
import { ConsultingServicesModule } from './consulting-services/consulting-services.module.js';
import { DigitalProductsModule } from './digital-products/digital-products.module.js';
import { DownloadLinksModule } from './download-links/download-links.module.js';
import { EnrolledCoursesModule } from './enrolled-courses/enrolled-courses.module.js';
import { AnnouncementsModule } from './announcements/announcements.module.js';
import { CommentsModule } from './comments/comments.module.js';
import { CurriculaModule } from './curricula/curricula.module.js';
import { PostsModule } from './posts/posts.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { EventRegistrationsModule } from './event-registrations/event-registrations.module.js';
import { ApiModule } from './graphql/api.module.js';
import { GraphqlOperationModule } from './graphql/operation.module.js';
import { InboxModule } from './inbox/inbox.module.js';
import { MailsModule } from './mails/mails.module.js';
import { NotificationSubscriptionsModule } from './notification-subscriptions/notification-subscriptions.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { PagingModule } from './paging/paging.module.js';
import { PeopleModule } from './people/people.module.js';
import { PersonalDataModule } from './personal-data/personal-data.module.js';
import { ProgressModule } from './progress/progress.module.js';
import { RemindersModule } from './reminders/reminders.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SchoolsModule } from './schools/schools.module.js';
import { SiteDataModule } from './site-data/site-data.module.js';
import { StudyPlansModule } from './study-plans/study-plans.module.js';
import { NodesModule } from './nodes/nodes.module.js';
import { ViewerModule } from './viewer/viewer.module.js';

@Module({})
export class MemberApiModule {
  static forRoot(config: Configuration): DynamicModule {
    const mails = MailsModule.forRoot(config, config.CURSOR_KEY);
    return {
      module: MemberApiModule,
      imports: [
        DatabaseModule.forRoot(databaseOptions(config)),
        MessagingModule.forRoot({
          service: SERVICE,
          nats: config,
          trustedKeys: config.CALL_PUBLIC_KEYS,
          database: true,
        }),
        ResourceServerModule.forRoot({ introspection: config, metadataPath: '' }),
        ToolsModule.forRoot({ service: SERVICE }),
        PagingModule.forRoot(config.CURSOR_KEY),
        DownloadLinksModule.forRoot(config.DOWNLOAD_KEY),
        ClientsModule.forRoot(new OriginSettings(config.CORS_ORIGINS, config.CORS_CACHE_MS)),
        ApiModule,
        GraphqlOperationModule.forRoot(config.RATE_LIMIT_POINTS),
        NodesModule,
        ViewerModule,
        PeopleModule,
        PersonalDataModule,
        SchoolsModule,
        SiteDataModule,
        NotificationSubscriptionsModule,
        mails,
        RemindersModule,
        RetentionModule.forRoot(mails, config.NOTIFICATION_RETENTION_DAYS),
        NotificationsModule,
        InboxModule,
        SubscriptionsModule,
        PostsModule,
        CurriculaModule,
        CommentsModule,
        AnnouncementsModule,
        EnrolledCoursesModule,
        ProgressModule,
        DigitalProductsModule,
        ConsultingServicesModule,
        EventRegistrationsModule,
        StudyPlansModule,
      ],
    };
  }
}
