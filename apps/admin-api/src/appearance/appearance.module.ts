import { collectionModule } from '@lyceum/collections';
import { FileModule } from '#src/files/file.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { appearanceCollection } from './appearance.operations.js';
import { AppearanceRepository } from './appearance.repository.js';
import { revisionCollection } from './revision.operations.js';

export const AppearanceModule = collectionModule({
  imports: [FileModule, SchoolSettingsModule],
  operations: [appearanceCollection, revisionCollection],
  providers: [AppearanceRepository],
});
