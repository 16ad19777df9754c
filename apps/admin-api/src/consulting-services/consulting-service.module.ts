import { collectionModule } from '@lyceum/collections';
import { LecturerModule } from '#src/lecturers/lecturer.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { ConsultingService } from './consulting-service.entity.js';
import { consultingServiceCollection } from './consulting-service.operations.js';
import { ConsultingServiceRepository } from './consulting-service.repository.js';
import { ConsultingServiceService } from './consulting-service.service.js';

export const ConsultingServiceModule = collectionModule({
  imports: [LecturerModule, SchoolSettingsModule],
  operations: [consultingServiceCollection],
  services: [ConsultingServiceService],
  providers: [ConsultingServiceRepository],
  entities: [ConsultingService],
});
