import { collectionModule } from '@lyceum/collections';
import { DigitalProductModule } from '#src/digital-products/digital-product.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { DigitalProductGrantClock } from './digital-product-grant.clock.js';
import { DigitalProductGrant } from './digital-product-grant.entity.js';
import {
  digitalProductGrantCollection,
  flatDigitalProductGrantCollection,
} from './digital-product-grant.operations.js';
import { DigitalProductGrantRepository } from './digital-product-grant.repository.js';
import { DigitalProductGrantService } from './digital-product-grant.service.js';

export const DigitalProductGrantModule = collectionModule({
  imports: [DigitalProductModule, StudentModule],
  operations: [digitalProductGrantCollection, flatDigitalProductGrantCollection],
  services: [DigitalProductGrantService],
  providers: [DigitalProductGrantRepository, DigitalProductGrantClock],
  entities: [DigitalProductGrant],
  publisher: DigitalProductGrantService,
});
