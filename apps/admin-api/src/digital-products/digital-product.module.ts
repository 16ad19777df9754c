import { collectionModule } from '@lyceum/collections';
import { FileModule } from '#src/files/file.module.js';
import { Catalogue1763683200002 } from '#src/migrations/1763683200002-catalogue.js';
import { OfferLists1763683200003 } from '#src/migrations/1763683200003-offer-lists.js';
import { DigitalProducts1764000244000 } from '#src/migrations/1764000244000-digital-products.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { digitalProductCollection } from './digital-product.operations.js';
import { DigitalProductRepository } from './digital-product.repository.js';

export const DigitalProductModule = collectionModule({
  imports: [FileModule, PictureModule, SchoolSettingsModule],
  operations: [digitalProductCollection],
  providers: [DigitalProductRepository],
  migrations: [Catalogue1763683200002, OfferLists1763683200003, DigitalProducts1764000244000],
});
