import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalogue } from '#src/reading/source-catalogue.js';
import { SchoolsRepository, schoolSources } from './schools.repository.js';

@Module({ imports: [ReadingModule], providers: [SchoolsRepository] })
export class SchoolsModule {
  constructor(catalogue: SourceCatalogue) {
    catalogue.add(schoolSources);
  }
}
