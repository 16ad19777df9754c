import { Module } from '@nestjs/common';
import { JobsModule } from '@lyceum/jobs';
import { OutboundNetwork } from '@lyceum/platform';
import { ClientLogoController } from './client-logo.controller.js';
import { ClientLogosModule } from './client-logos.module.js';
import { ClientLogosQueue } from './client-logos.queue.js';
import { ClientLogosWorker } from './client-logos.worker.js';
import { LogoFetcher } from './logo-fetcher.js';

/** Fetches and serves logos. The command line only queues them. */
@Module({
  imports: [ClientLogosModule, JobsModule],
  controllers: [ClientLogoController],
  providers: [ClientLogosQueue, ClientLogosWorker, LogoFetcher, OutboundNetwork],
})
export class LogoUpdatesModule {}
