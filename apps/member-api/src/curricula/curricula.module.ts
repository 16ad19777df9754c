import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { CurriculaConsumer } from './curricula.consumer.js';
import { CurriculaRepository } from './curricula.repository.js';
import { curriculumSources } from './curricula.sources.js';

@Module({ imports: [ReadingModule, FanOutsModule], providers: [CurriculaRepository, CurriculaConsumer] })
export class CurriculaModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(curriculumSources);
  }
}
