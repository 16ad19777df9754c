import { collectionModule } from '@lyceum/collections';
import { SchoolSettings1764000170000 } from '#src/migrations/1764000170000-school-settings.js';
import { MemberFields1764000292010 } from '#src/migrations/1764000292010-member-fields.js';
import { schoolSettingsCollection } from './school.operations.js';
import { SchoolTimeZones } from './school-time-zones.js';
import { SchoolRepository } from './school.repository.js';
import { SchoolTools } from './school.tools.js';

export const SchoolSettingsModule = collectionModule({
  operations: [schoolSettingsCollection],
  providers: [SchoolRepository, SchoolTools, SchoolTimeZones],
  migrations: [SchoolSettings1764000170000, MemberFields1764000292010],
});
