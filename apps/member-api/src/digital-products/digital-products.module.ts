import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { DigitalProductsConsumer } from './digital-products.consumer.js';
import { DigitalProductsRepository, digitalProductSources } from './digital-products.repository.js';
import { DigitalProductsTools } from './digital-products.tools.js';
import { DownloadsController } from './downloads.controller.js';
import { DownloadsService } from './downloads.service.js';

@Module({
  imports: [FanOutsModule, ReadingModule],
  controllers: [DownloadsController],
  providers: [DigitalProductsRepository, DigitalProductsConsumer, DigitalProductsTools, DownloadsService],
})
export class DigitalProductsModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(digitalProductSources);
  }
}
