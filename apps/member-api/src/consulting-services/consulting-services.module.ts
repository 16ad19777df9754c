import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { ConsultingServicesConsumer } from './consulting-services.consumer.js';
import { ConsultingServicesRepository, consultingServiceSources } from './consulting-services.repository.js';
import { ConsultingServicesResolver } from './consulting-services.resolver.js';
import { ConsultingServicesTools } from './consulting-services.tools.js';

@Module({
  imports: [FanOutsModule, ReadingModule],
  providers: [
    ConsultingServicesRepository,
    ConsultingServicesConsumer,
    ConsultingServicesResolver,
    ConsultingServicesTools,
  ],
})
export class ConsultingServicesModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(consultingServiceSources);
  }
}
