import { collectionModule } from '@lyceum/collections';
import { FileModule } from '#src/files/file.module.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { digitalProductCollection } from './digital-product.operations.js';
import { DigitalProductRepository } from './digital-product.repository.js';

export const DigitalProductModule = collectionModule({
  imports: [FileModule, PictureModule, SchoolSettingsModule],
  operations: [digitalProductCollection],
  providers: [DigitalProductRepository],
});
