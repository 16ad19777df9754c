import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { DigitalProductsRepository, digitalProductSources } from './digital-products.repository.js';
import { DigitalProductsTools } from './digital-products.tools.js';
import { DownloadsController } from './downloads.controller.js';
import { DownloadsService } from './downloads.service.js';

@Module({
  imports: [ReadingModule],
  controllers: [DownloadsController],
  providers: [DigitalProductsRepository, DigitalProductsTools, DownloadsService],
})
export class DigitalProductsModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(digitalProductSources);
  }
}
