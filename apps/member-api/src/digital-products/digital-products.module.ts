import { Module } from '@nestjs/common';
import { ViewerModule } from '#src/viewer/viewer.module.js';
import { DigitalProductsConsumer } from './digital-products.consumer.js';
import { DigitalProductsCopy } from './digital-products.copy.js';
import { DigitalProductsRepository } from './digital-products.repository.js';
import { DigitalProductsTools } from './digital-products.tools.js';
import { DownloadsController } from './downloads.controller.js';
import { DownloadsService } from './downloads.service.js';

@Module({
  imports: [ViewerModule],
  controllers: [DownloadsController],
  providers: [
    DigitalProductsRepository,
    DigitalProductsCopy,
    DigitalProductsConsumer,
    DigitalProductsTools,
    DownloadsService,
  ],
})
export class DigitalProductsModule {}
