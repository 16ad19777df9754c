import { collectionModule } from '@lyceum/collections';
import { SchoolSettingsOperations } from './school.operations.js';
import { SchoolRepository } from './school.repository.js';
import { SchoolService } from './school.service.js';
import { SchoolTools } from './school.tools.js';

export const SchoolSettingsModule = collectionModule({
  operations: [SchoolSettingsOperations],
  services: [SchoolService],
  providers: [SchoolRepository, SchoolTools],
});
