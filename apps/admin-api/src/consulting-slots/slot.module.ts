import { collectionModule } from '@lyceum/collections';
import { ConsultingServiceModule } from '#src/consulting-services/consulting-service.module.js';
import { Slot } from './slot.entity.js';
import { slotCollection, flatSlotCollection } from './slot.operations.js';
import { SlotRepository } from './slot.repository.js';
import { SlotService } from './slot.service.js';

export const SlotModule = collectionModule({
  imports: [ConsultingServiceModule],
  operations: [slotCollection, flatSlotCollection],
  services: [SlotService],
  providers: [SlotRepository],
  entities: [Slot],
});
