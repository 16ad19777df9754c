import { collectionModule } from '@lyceum/collections';
import { FileModule } from '#src/files/file.module.js';
import { Pages1764000251000 } from '#src/migrations/1764000251000-pages.js';
import { QueuedDeployments1764000366352 } from '#src/migrations/1764000366352-queued-deployments.js';
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
  migrations: [Pages1764000251000, QueuedDeployments1764000366352],
});
