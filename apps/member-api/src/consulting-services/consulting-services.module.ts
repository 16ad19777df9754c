import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { ConsultingServicesRepository, consultingServiceSources } from './consulting-services.repository.js';
import { ConsultingServicesResolver } from './consulting-services.resolver.js';
import { ConsultingServicesTools } from './consulting-services.tools.js';

@Module({
  imports: [ReadingModule],
  providers: [ConsultingServicesRepository, ConsultingServicesResolver, ConsultingServicesTools],
})
export class ConsultingServicesModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(consultingServiceSources);
  }
}
