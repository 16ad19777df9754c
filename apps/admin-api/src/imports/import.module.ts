import { collectionModule } from '@lyceum/collections';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { FileModule } from '#src/files/file.module.js';
import { MemberModule } from '#src/members/member.module.js';
import { ImportForms1764000289000 } from '#src/migrations/1764000289000-import-forms.js';
import { ImportKinds1764000316400 } from '#src/migrations/1764000316400-import-kinds.js';
import { ImportCourses1764000366200 } from '#src/migrations/1764000366200-import-courses.js';
import { ImportEnrollments1764000366100 } from '#src/migrations/1764000366100-import-enrollments.js';
import { Imports1764000220000 } from '#src/migrations/1764000220000-imports.js';
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
  migrations: [
    Imports1764000220000,
    ImportForms1764000289000,
    ImportKinds1764000316400,
    ImportEnrollments1764000366100,
    ImportCourses1764000366200,
  ],
});
