import { collectionModule } from '@lyceum/collections';
import { ConsultingPurchaseModule } from '#src/consulting-purchases/consulting-purchase.module.js';
import { ConsultingServiceModule } from '#src/consulting-services/consulting-service.module.js';
import { SlotModule } from '#src/consulting-slots/slot.module.js';
import { Booking } from './booking.entity.js';
import { bookingCollection, flatBookingCollection } from './booking.operations.js';
import { BookingRepository } from './booking.repository.js';
import { BookingService } from './booking.service.js';

export const BookingModule = collectionModule({
  imports: [ConsultingServiceModule, SlotModule, ConsultingPurchaseModule],
  operations: [bookingCollection, flatBookingCollection],
  services: [BookingService],
  providers: [BookingRepository],
  entities: [Booking],
});
