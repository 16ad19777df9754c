import { collectionModule } from '@lyceum/collections';
import { ConsultingServiceModule } from '#src/consulting-services/consulting-service.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { ConsultingPurchase } from './consulting-purchase.entity.js';
import { consultingPurchaseCollection, flatConsultingPurchaseCollection } from './consulting-purchase.operations.js';
import { ConsultingPurchaseRepository } from './consulting-purchase.repository.js';
import { ConsultingPurchaseService } from './consulting-purchase.service.js';

export const ConsultingPurchaseModule = collectionModule({
  imports: [ConsultingServiceModule, StudentModule],
  operations: [consultingPurchaseCollection, flatConsultingPurchaseCollection],
  services: [ConsultingPurchaseService],
  providers: [ConsultingPurchaseRepository],
  entities: [ConsultingPurchase],
});
