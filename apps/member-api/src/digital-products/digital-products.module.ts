import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalogue } from '#src/reading/source-catalogue.js';
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
  constructor(catalogue: SourceCatalogue) {
    catalogue.add(digitalProductSources);
  }
}
