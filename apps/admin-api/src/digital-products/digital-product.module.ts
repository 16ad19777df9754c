import { collectionModule } from '@lyceum/collections';
import { Catalogue1763683200002 } from '#src/migrations/1763683200002-catalogue.js';
import { OfferLists1763683200003 } from '#src/migrations/1763683200003-offer-lists.js';
import { DigitalProduct } from './digital-product.entity.js';
import { DigitalProductOperations } from './digital-product.operations.js';
import { DigitalProductService } from './digital-product.service.js';

export const DigitalProductModule = collectionModule({
  operations: [DigitalProductOperations],
  services: [DigitalProductService],
  entities: [DigitalProduct],
  migrations: [Catalogue1763683200002, OfferLists1763683200003],
  publisher: DigitalProductService,
});
