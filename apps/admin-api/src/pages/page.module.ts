import { collectionModule } from '@lyceum/collections';
import { FileModule } from '#src/files/file.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { Page } from './page.entity.js';
import { pageCollection } from './page.operations.js';
import { PageRepository } from './page.repository.js';
import { PageService } from './page.service.js';

export const PageModule = collectionModule({
  imports: [FileModule, SchoolSettingsModule],
  operations: [pageCollection],
  services: [PageService],
  providers: [PageRepository],
  entities: [Page],
});
