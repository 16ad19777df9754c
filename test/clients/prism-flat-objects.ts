import { siteZip, uploadedBundle } from './page-bundle.js';
import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation of slots, purchases and bookings at a path without their parents. */
export async function useFlatConsulting(proxy: ValidationProxy, unique: string): Promise<void> {
  const service = await proxy.send('createConsultingService', 201, {
    body: { name: 'Flat', slug: `flat-service-${unique}` },
  });
  const consulting_service_id = service.id;
  const student = await proxy.send('createStudent', 201, { body: { email: `flat-booked-${unique}@example.com` } });
  const times = { consulting_service_id, starts_at: '2020-02-01T10:00:00Z' };
  const { id: slot_id } = await proxy.write('addConsultingSlot', 201, { body: times });
  await proxy.get('getConsultingSlotById', { path: { id: slot_id } });
  await proxy.write('updateConsultingSlotById', 200, { path: { id: slot_id }, body: { capacity: 2 } });
  const given = { consulting_service_id, student_id: student.id, sessions_total: 5 };
  const { id: purchase_id } = await proxy.write('grantConsultingSessions', 201, { body: given });
  const bought = { id: purchase_id };
  await proxy.get('getConsultingPurchaseById', { path: bought });
  await proxy.write('updateConsultingPurchaseById', 200, { path: bought, body: { sessions_total: 6 } });

  const path = { id: (await proxy.write('bookSlot', 201, { body: { slot_id, purchase_id } })).id };
  await proxy.get('getBookingById', { path });
  await proxy.write('updateBookingById', 200, { path, body: { external_id: `call-${unique}` } });
  const { id: to_slot_id } = await proxy.send('addConsultingSlot', 201, { body: times });
  await proxy.write('moveBookingById', 200, { path, body: { to_slot_id } });
  for (const attended of ['missBookingById', 'completeBookingById']) await proxy.write(attended, 200, { path });
  const second = await proxy.send('bookSlot', 201, { body: { slot_id, purchase_id } });
  await proxy.write('cancelBookingById', 200, { path: second });
  await proxy.write('cancelConsultingSlotById', 200, { path: { id: slot_id } });
  await proxy.write('revokeConsultingPurchaseById', 200, { path: bought });
}

/** Uses each operation of tickets and registrations at a path without their event. */
export async function useFlatEvents(proxy: ValidationProxy, unique: string): Promise<void> {
  const times = { starts_at: '2020-01-01T10:00:00Z', ends_at: '2090-01-01T10:00:00Z' };
  const event = await proxy.send('createEvent', 201, {
    body: { name: 'Flat', slug: `flat-event-${unique}`, hosting_type: 'zoom', ...times },
  });
  const ticket = { event_id: event.id, name: 'Seat', price: { amount_minor: 100, currency: 'TWD' } };
  const { id: ticket_id } = await proxy.write('addEventTicket', 201, { body: ticket });
  await proxy.get('getEventTicketById', { path: { id: ticket_id } });
  await proxy.write('updateEventTicketById', 200, { path: { id: ticket_id }, body: { capacity: 20 } });
  const spare = await proxy.send('addEventTicket', 201, { body: ticket });
  await proxy.write('deleteEventTicketById', 204, { path: spare });
  await proxy.send('publishEvent', 200, { path: event });
  const guest = async (name: string): Promise<object> => {
    const made = await proxy.send('createStudent', 201, { body: { email: `flat-${name}-${unique}@example.com` } });
    return { event_id: event.id, ticket_id, student_id: made.id };
  };
  const body = await guest('guest');
  const path = { id: (await proxy.write('registerForEvent', 201, { body })).id };
  await proxy.write('registerForEvent', 200, { body });
  await proxy.get('getEventRegistrationById', { path });
  await proxy.write('updateEventRegistrationById', 200, { path, body: { metadata: { badge: '1' } } });
  for (const attended of ['checkInRegistrationById', 'missRegistrationById'])
    await proxy.write(attended, 200, { path });
  const canceled = await proxy.send('registerForEvent', 201, { body: await guest('other') });
  await proxy.write('cancelEventRegistrationById', 200, { path: canceled });
}

/** Uses each operation of deployments, of purchases of digital products, and of progress and submissions. */
export async function useFlatParts(proxy: ValidationProxy, unique: string): Promise<void> {
  const page = await proxy.send('createPage', 201, { body: { title: 'Flat', slug: `flat-page-${unique}` } });
  const file_id = await uploadedBundle(siteZip({ 'index.html': '<h1>Flat</h1>' }), {
    create: (announced) => proxy.send('createUpload', 201, { body: announced }),
    complete: (upload) => proxy.send('completeUpload', 200, { path: { id: upload } }),
  });
  const deployed = { body: { page_id: page.id, file_id } };
  const [first, path] = [await proxy.write('deployPage', 201, deployed), await proxy.send('deployPage', 201, deployed)];
  await proxy.get('getPageDeploymentById', { path });
  for (const one of [first, path]) await proxy.write('promotePageDeploymentById', 200, { path: one });
  await proxy.write('rollBackPageDeploymentById', 200, { path });

  const student = await proxy.send('createStudent', 201, { body: { email: `flat-buyer-${unique}@example.com` } });
  const price = { amount_minor: 100, currency: 'TWD' };
  const product = await proxy.send('createDigitalProduct', 201, {
    body: { name: 'Flat', slug: `flat-product-${unique}`, price },
  });
  const body = { digital_product_id: product.id, student_id: student.id };
  const bought = { id: (await proxy.write('grantDigitalProduct', 201, { body })).id };
  await proxy.write('grantDigitalProduct', 200, { body });
  await proxy.get('getDigitalProductPurchaseById', { path: bought });
  const end = { expires_at: '2040-01-01T00:00:00Z' };
  await proxy.write('updateDigitalProductPurchaseById', 200, { path: bought, body: end });
  await proxy.write('revokeDigitalProductPurchaseById', 200, { path: bought });

  const { id: course_id } = await proxy.send('createCourse', 201, {
    body: { name: 'Flat', slug: `flat-watched-${unique}` },
  });
  const section = await proxy.send('createSection', 201, { body: { course_id, title: 'One' } });
  const lecture = await proxy.send('createLecture', 201, {
    body: { section_id: section.id, slug: 'one', title: 'One' },
  });
  await proxy.send('publishCourse', 200, { path: { id: course_id } });
  await proxy.send('enrollStudent', 201, { body: { student_id: student.id, course_id } });
  const watched = { course_id, lecture_id: lecture.id, position_seconds: 60, watched_at: new Date().toISOString() };
  const step = { student_id: student.id, ...watched };
  const progress = await proxy.write('recordStudentProgress', 201, { body: step });
  await proxy.get('getStudentProgressById', { path: progress });

  const form_id = await proxy.list('listForms');
  const submission = await proxy.list('listFormSubmissions', { path: { form_id } });
  await proxy.get('getFormSubmissionById', { path: { id: submission } });
}
