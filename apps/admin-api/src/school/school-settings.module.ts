import { collectionModule } from '@lyceum/collections';
import { schoolSettingsCollection } from './school.operations.js';
import { SchoolTimeZones } from './school-time-zones.js';
import { SchoolRepository } from './school.repository.js';
import { SchoolTools } from './school.tools.js';

export const SchoolSettingsModule = collectionModule({
  operations: [schoolSettingsCollection],
  providers: [SchoolRepository, SchoolTools, SchoolTimeZones],
});
