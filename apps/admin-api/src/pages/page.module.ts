import { collectionModule } from '@lyceum/collections';
import { Page } from './page.entity.js';
import { PageOperations } from './page.operations.js';
import { PageRepository } from './page.repository.js';
import { PageService } from './page.service.js';

export const PageModule = collectionModule({
  operations: [PageOperations],
  services: [PageService],
  providers: [PageRepository],
  entities: [Page],
});
