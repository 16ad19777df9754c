import { collectionModule } from '@lyceum/collections';
import { FileModule } from '#src/files/file.module.js';
import { PageBundleReader } from '#src/page-bundles/page-bundle.reader.js';
import { PageModule } from '#src/pages/page.module.js';
import { PageDeployment } from './page-deployment.entity.js';
import { pageDeploymentCollection, flatPageDeploymentCollection } from './page-deployment.operations.js';
import { PageDeploymentRepository } from './page-deployment.repository.js';
import { PageDeploymentService } from './page-deployment.service.js';

export const PageDeploymentModule = collectionModule({
  imports: [FileModule, PageModule],
  operations: [pageDeploymentCollection, flatPageDeploymentCollection],
  services: [PageDeploymentService],
  providers: [PageBundleReader, PageDeploymentRepository],
  entities: [PageDeployment],
});
