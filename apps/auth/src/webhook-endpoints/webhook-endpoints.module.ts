import { Module } from '@nestjs/common';
import { MailsModule } from '#src/mails/mails.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { WebhookEndpointsConsumer } from './webhook-endpoints.consumer.js';

/** Consumes events of admin-api. Only the service imports it, because subcommands must not consume events. */
@Module({ imports: [MailsModule, MembersModule], providers: [WebhookEndpointsConsumer] })
export class WebhookEndpointsModule {}
