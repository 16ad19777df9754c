import { Module } from '@nestjs/common';
import { ViewerModule } from '#src/viewer/viewer.module.js';
import { ConsultingServicesConsumer } from './consulting-services.consumer.js';
import { ConsultingServicesCopy } from './consulting-services.copy.js';
import { ConsultingServicesRepository } from './consulting-services.repository.js';
import { ConsultingServicesResolver } from './consulting-services.resolver.js';
import { ConsultingServicesTools } from './consulting-services.tools.js';

@Module({
  imports: [ViewerModule],
  providers: [
    ConsultingServicesRepository,
    ConsultingServicesCopy,
    ConsultingServicesConsumer,
    ConsultingServicesResolver,
    ConsultingServicesTools,
  ],
})
export class ConsultingServicesModule {}
