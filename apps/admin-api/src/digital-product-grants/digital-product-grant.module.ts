import { collectionModule } from '@lyceum/collections';
import { DigitalProductModule } from '#src/digital-products/digital-product.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { DigitalProductGrantClock } from './digital-product-grant.clock.js';
import {
  digitalProductGrantCollection,
  flatDigitalProductGrantCollection,
} from './digital-product-grant.operations.js';
import { DigitalProductGrantRepository } from './digital-product-grant.repository.js';

export const DigitalProductGrantModule = collectionModule({
  imports: [DigitalProductModule, StudentModule],
  operations: [digitalProductGrantCollection, flatDigitalProductGrantCollection],
  providers: [DigitalProductGrantRepository, DigitalProductGrantClock],
});
