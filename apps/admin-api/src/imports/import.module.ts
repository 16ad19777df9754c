import { collectionModule } from '@lyceum/collections';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { FileModule } from '#src/files/file.module.js';
import { MemberModule } from '#src/members/member.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { Import } from './import.entity.js';
import { ImportErasure } from './import.erasure.js';
import { ImportFiles } from './import.files.js';
import { importCollection } from './import.operations.js';
import { ImportRepository } from './import.repository.js';
import { ImportService } from './import.service.js';

export const ImportModule = collectionModule({
  imports: [EnrollmentModule, FileModule, MemberModule, SchoolSettingsModule],
  operations: [importCollection],
  services: [ImportService, ImportFiles, ImportRepository],
  providers: [ImportErasure],
  entities: [Import],
});
