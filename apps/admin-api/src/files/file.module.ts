import { collectionModule } from '@lyceum/collections';
import { ImageModule } from '#src/images/image.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { FileUseRepository } from './file-use.repository.js';
import { FileUses } from './file-uses.js';
import { FileChecks } from './file.checks.js';
import { File } from './file.entity.js';
import { FileLinks } from './file.links.js';
import { fileCollection } from './file.operations.js';
import { FileQuota } from './file.quota.js';
import { FileRepository } from './file.repository.js';
import { FileService } from './file.service.js';
import { PublicCopies } from './public-copies.js';
import { PublicFiles } from './public-files.js';

export const FileModule = collectionModule({
  imports: [SchoolSettingsModule, ImageModule],
  operations: [fileCollection],
  services: [FileService, FileChecks, FileQuota, FileUses, FileLinks, PublicCopies, PublicFiles],
  providers: [FileRepository, FileUseRepository],
  entities: [File],
});
