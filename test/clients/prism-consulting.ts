import type { ValidationProxy } from './validation-proxy.js';

/** Sends every operation of consulting services, slots, purchases and bookings through Prism, also in a dry run. */
export async function useConsulting(proxy: ValidationProxy, unique: string): Promise<void> {
  const body = { name: 'By Prism', slug: `service-${unique}` };
  const { id } = await proxy.write('createConsultingService', 201, { body });
  const path = { id, external_id: body.slug, consulting_service_id: id };
  await proxy.write('putConsultingService', 201, { path, body: { ...body, slug: `put-service-${unique}` } });
  await proxy.write('updateConsultingService', 200, { path, body: { duration_minutes: 30 } });
  for (const action of ['publish', 'unpublish']) await proxy.write(`${action}ConsultingService`, 200, { path });
  await proxy.list('listConsultingServices');
  await proxy.get('getConsultingService', { path });
  const student = await proxy.send('createStudent', 201, { body: { email: `consulted-${unique}@example.com` } });
  const bought = await proxy.write('grantConsultingPurchase', 201, { path, body: { student_id: student.id } });
  const times = { starts_at: '2020-01-01T10:00:00Z' };
  const slot = await proxy.write('createConsultingSlot', 201, { path, body: times });
  await proxy.write('createConsultingSlots', 200, { path, body: { atomic: true, items: [times, times] } });
  const taken = { ...path, slot_id: slot.id, purchase_id: bought.id };
  await proxy.write('updateConsultingSlot', 200, { path: taken, body: { capacity: 2 } });
  await proxy.list('listConsultingSlots', { path });
  await proxy.get('getConsultingSlot', { path: taken });
  await proxy.write('updateConsultingPurchase', 200, { path: taken, body: { sessions_total: 5 } });
  await proxy.list('listConsultingPurchases', { path });
  await proxy.get('getConsultingPurchase', { path: taken });
  const booking = await proxy.write('createBooking', 201, { path: taken, body: { purchase_id: bought.id } });
  const booked = { ...taken, booking_id: booking.id };
  await proxy.list('listBookings', { path: taken });
  await proxy.get('getBooking', { path: booked });
  await proxy.write('updateBooking', 200, { path: booked, body: { metadata: { room: 'blue' } } });
  const { id: to_slot_id } = await proxy.send('createConsultingSlot', 201, { path, body: times });
  await proxy.write('moveBooking', 200, { path: booked, body: { to_slot_id } });
  const moved = { slot_id: to_slot_id, booking_id: booking.id };
  for (const attended of ['missBooking', 'completeBooking']) await proxy.write(attended, 200, { path: moved });
  const second = await proxy.send('createBooking', 201, { path: taken, body: { purchase_id: bought.id } });
  await proxy.write('cancelBooking', 200, { path: { ...taken, booking_id: second.id } });
  await proxy.write('cancelConsultingSlot', 200, { path: taken });
  await proxy.write('revokeConsultingPurchase', 200, { path: taken });
  await proxy.write('archiveConsultingService', 200, { path });
  const gone = await proxy.send('createConsultingService', 201, { body: { ...body, slug: `gone-${unique}` } });
  await proxy.write('deleteConsultingService', 204, { path: { id: gone.id } });
}
