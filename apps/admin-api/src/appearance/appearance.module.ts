import { collectionModule } from '@lyceum/collections';
import { Appearance1763683200010 } from '#src/migrations/1763683200010-appearance.js';
import { AppearanceOperations } from './appearance.operations.js';
import { AppearanceRepository } from './appearance.repository.js';
import { AppearanceService } from './appearance.service.js';
import { RevisionOperations } from './revision.operations.js';

export const AppearanceModule = collectionModule({
  operations: [AppearanceOperations, RevisionOperations],
  services: [AppearanceService],
  providers: [AppearanceRepository],
  migrations: [Appearance1763683200010],
  publisher: AppearanceService,
});
