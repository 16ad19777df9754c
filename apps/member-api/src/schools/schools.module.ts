import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { SchoolsRepository, schoolSources } from './schools.repository.js';

@Module({ imports: [ReadingModule], providers: [SchoolsRepository] })
export class SchoolsModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(schoolSources);
  }
}
