import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { ProgressConsumer } from './progress.consumer.js';
import { ProgressRepository, progressSources } from './progress.repository.js';

@Module({ imports: [ReadingModule], providers: [ProgressRepository, ProgressConsumer] })
export class ProgressModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(progressSources);
  }
}
