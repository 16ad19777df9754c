import { JobsModule } from '@lyceum/jobs';
import { Module } from '@nestjs/common';
import { PublicEventSubscriber } from '#src/changes/public-event-subscriber.js';
import { ClientConsumer } from '#src/webhook-endpoints/client.consumer.js';
import { WebhookEndpointModule } from '#src/webhook-endpoints/webhook-endpoint.module.js';
import { WebhookDeliveryModule } from './webhook-delivery.module.js';
import { WebhookErasureQueue } from './webhook-erasure.queue.js';
import { WebhookErasureWorker } from './webhook-erasure.worker.js';
import { WebhookSubscriber } from './webhook-subscriber.js';
import { WebhookDispatcher } from './webhook.dispatcher.js';
import { WebhookMetrics } from './webhook.metrics.js';
import { WebhookSender } from './webhook.sender.js';
import { WebhookSweep } from './webhook.sweep.js';

/** Sends webhooks. Only the service imports it: subcommands consume no events and send nothing. */
@Module({
  imports: [WebhookEndpointModule, WebhookDeliveryModule, JobsModule],
  providers: [
    ClientConsumer,
    WebhookSender,
    WebhookMetrics,
    WebhookDispatcher,
    WebhookSweep,
    WebhookErasureQueue,
    WebhookErasureWorker,
    { provide: PublicEventSubscriber, useClass: WebhookSubscriber },
  ],
  exports: [PublicEventSubscriber],
})
export class WebhookJobsModule {}
