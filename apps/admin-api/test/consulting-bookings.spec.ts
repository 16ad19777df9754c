import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Consulting, newLecturer, newStudent } from './consulting.js';
import { withDatabase } from './database.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

it('publishes a booking and its purchase, and logs both', async () => {
  const consulting = await Consulting.open(api, { join_url: 'https://example.com/room' });
  const slot = await consulting.slot(100);
  const purchase = await consulting.purchase();
  const id = await consulting.booked(slot.id, purchase.id);
  const [granted, used] = await api.events.of([purchase.id], 2);
  expect(granted).toMatchObject({
    type: 'school.consulting_purchase.granted.v1',
    data: { sessions_total: 3, sessions_used: 0 },
  });
  expect(used).toMatchObject({
    type: 'school.consulting_purchase.updated.v1',
    data: { sessions_total: 3, sessions_used: 1 },
  });
  const [booked] = await api.events.of([id], 1);
  const { starts_at, ends_at } = slot;
  expect(booked).toMatchObject({
    type: 'school.consulting_booking.booked.v1',
    data: {
      slot_id: slot.id,
      purchase_id: purchase.id,
      state: 'scheduled',
      starts_at,
      ends_at,
      join_url: 'https://example.com/room',
    },
  });
  for (const [object, event] of [
    [id, booked],
    [purchase.id, used],
  ] as const) {
    const { body } = await api.send<{ data: { id: string }[] }>('GET', `/api/v1/activity?object_id=${object}`);
    expect(body.data.filter((entry) => entry.id === event?.id)).toHaveLength(1);
  }
});

it('changes the key and the values of a booking, and moves them along', async () => {
  const consulting = await Consulting.open(api);
  const [slot, to] = [await consulting.slot(100, { capacity: 2 }), await consulting.slot(200)];
  const [external_id, { id: purchase_id }] = [randomUUID(), await consulting.purchase()];
  const body = { purchase_id, external_id, metadata: { room: 'blue' } };
  const path = `/api/v1/slots/${slot.id}/bookings`;
  const { id } = (await api.send('POST', path, { body })).body;
  const taken = await api.send('POST', path, { body: { purchase_id: (await consulting.purchase()).id, external_id } });
  expect([taken.status, taken.body]).toMatchObject([409, { errors: [{ pointer: '/external_id', id }] }]);
  expect(await consulting.readSlot(slot.id)).toMatchObject({ booked_count: 1 });
  const patched = await api.send('PATCH', `${path}/${String(id)}`, { body: { metadata: { room: null, desk: '2' } } });
  const own = { external_id, metadata: { desk: '2' } };
  expect([patched.status, patched.body]).toMatchObject([200, own]);
  const moved = await consulting.act(slot.id, String(id), 'move', { to_slot_id: to.id });
  expect(moved.body).toMatchObject({ slot_id: to.id, ...own });
  const events = await api.events.of([String(id)], 3);
  expect(events.map(({ type }) => type.split('.')[2])).toEqual(['booked', 'updated', 'moved']);
  for (const { data } of events) {
    for (const member of Object.keys(own)) expect(data).not.toHaveProperty(member);
  }
});

it.each([
  [25, true],
  [23, false],
])('gives the session of a booking %p hours ahead back under a notice of 24 hours: %p', async (hours, returned) => {
  const consulting = await Consulting.open(api, { cancel_notice_hours: 24 });
  const { id: slot } = await consulting.slot(hours);
  const { id: purchase } = await consulting.purchase();
  const id = await consulting.booked(slot, purchase);
  const canceled = await consulting.act(slot, id, 'cancel');
  expect(canceled.body).toMatchObject({ state: 'canceled', session_returned: returned });
  expect(await consulting.readSlot(slot)).toMatchObject({ booked_count: 0 });
  expect(await consulting.readPurchase(purchase)).toMatchObject({ sessions_used: returned ? 0 : 1 });
  await consulting.act(slot, id, 'cancel');
  expect(await consulting.readPurchase(purchase)).toMatchObject({ sessions_used: returned ? 0 : 1 });
  expect((await consulting.book(slot, purchase)).status).toBe(201);
});

it('cancels the bookings of a canceled slot, and gives each session back', async () => {
  const consulting = await Consulting.open(api);
  const { id: slot } = await consulting.slot(1, { capacity: 3 });
  const purchases = [await consulting.purchase(), await consulting.purchase()];
  const ids: string[] = [];
  for (const { id } of purchases) ids.push(await consulting.booked(slot, id));
  const canceled = await api.send('POST', `${consulting.path}/slots/${slot}/cancel`);
  expect(canceled.body).toMatchObject({ state: 'canceled', booked_count: 0 });
  const events = await api.events.of(ids, 4);
  expect(events.slice(2).map(({ type, data }) => [type, data['state']])).toEqual(
    ids.map(() => ['school.consulting_booking.canceled.v1', 'canceled']),
  );
  for (const { id } of purchases) {
    expect(await consulting.readPurchase(id)).toMatchObject({ sessions_used: 0 });
    const [, , returned] = await api.events.of([id], 3);
    expect(returned).toMatchObject({ aggregate_version: 3, data: { sessions_used: 0 } });
  }
  expect((await consulting.book(slot, purchases[0]?.id ?? '')).body).toMatchObject({ code: 'invalid_state' });
});

it('refuses to book for a student who was removed, until the student is restored', async () => {
  const consulting = await Consulting.open(api);
  const { id: slot } = await consulting.slot(100);
  const { id: purchase, student_id } = await consulting.purchase();
  const setState = (state: string) =>
    withDatabase(api.databaseUrl, (client) =>
      client.query('update students set state = $2 where id = $1', [student_id, state]),
    );
  await setState('removed');
  const refused = await consulting.book(slot, purchase);
  expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
  expect(await consulting.readSlot(slot)).toMatchObject({ booked_count: 0 });
  expect(await consulting.readPurchase(purchase)).toMatchObject({ sessions_used: 0 });
  await setState('active');
  expect((await consulting.book(slot, purchase)).status).toBe(201);
});

it('takes its bookings along when a slot moves', async () => {
  const consulting = await Consulting.open(api);
  const { id: slot } = await consulting.slot(100);
  const id = await consulting.booked(slot, (await consulting.purchase()).id);
  const moved = { starts_at: '2090-01-01T10:00:00.000Z', ends_at: '2090-01-01T11:00:00.000Z' };
  const join_url = 'https://example.com/other';
  await api.send('PATCH', `${consulting.path}/slots/${slot}`, { body: { ...moved, join_url } });
  expect((await api.send('GET', `/api/v1/slots/${slot}/bookings/${id}`)).body).toMatchObject(moved);
  const [, updated] = await api.events.of([id], 2);
  expect(updated).toMatchObject({
    type: 'school.consulting_booking.updated.v1',
    aggregate_version: 2,
    data: { ...moved, join_url },
  });
});

describe('A move', () => {
  it('takes the other place and leaves the first one', async () => {
    const consulting = await Consulting.open(api);
    const [from, to] = [await consulting.slot(100), await consulting.slot(101)];
    const { id: purchase } = await consulting.purchase();
    const id = await consulting.booked(from.id, purchase);
    const moved = await consulting.act(from.id, id, 'move', { to_slot_id: to.id });
    expect(moved.body).toMatchObject({ slot_id: to.id, starts_at: to['starts_at'], state: 'scheduled' });
    expect(await consulting.readSlot(from.id)).toMatchObject({ booked_count: 0 });
    expect(await consulting.readSlot(to.id)).toMatchObject({ booked_count: 1 });
    expect(await consulting.readPurchase(purchase)).toMatchObject({ sessions_used: 1 });
    expect((await api.events.of([id], 2)).map(({ type }) => type)).toEqual([
      'school.consulting_booking.booked.v1',
      'school.consulting_booking.moved.v1',
    ]);
  });

  it('stays where it is when the other slot is full, canceled or of another service', async () => {
    const [consulting, other] = [await Consulting.open(api), await Consulting.open(api)];
    const { id: from } = await consulting.slot(100);
    const [full, canceled] = [await consulting.slot(101), await consulting.slot(102)];
    await consulting.booked(full.id, (await consulting.purchase()).id);
    await api.send('POST', `${consulting.path}/slots/${canceled.id}/cancel`);
    const id = await consulting.booked(from, (await consulting.purchase()).id);
    for (const [to, status] of [
      [full.id, 409],
      [canceled.id, 409],
      [(await other.slot(101)).id, 422],
      [randomUUID(), 404],
    ] as const)
      expect((await consulting.act(from, id, 'move', { to_slot_id: to })).status).toBe(status);
    expect(await consulting.readSlot(from)).toMatchObject({ booked_count: 1 });
    expect(await consulting.readSlot(full.id)).toMatchObject({ booked_count: 1 });
  });
});

it('refuses a purchase of another service, one that is booked in the slot, and one without a session', async () => {
  const [consulting, other] = [await Consulting.open(api), await Consulting.open(api)];
  const { id: slot } = await consulting.slot(100, { capacity: 3 });
  const foreign = await consulting.book(slot, (await other.purchase()).id);
  expect([foreign.status, foreign.body['errors']]).toMatchObject([422, [{ pointer: '/purchase_id' }]]);
  const { id } = await consulting.purchase();
  await consulting.booked(slot, id);
  expect((await consulting.book(slot, id)).body).toMatchObject({ code: 'invalid_state' });
  const revoked = await consulting.purchase();
  await api.send('POST', `${consulting.path}/purchases/${revoked.id}/revoke`);
  expect((await consulting.book(slot, revoked.id)).body).toMatchObject({ code: 'invalid_state' });
});

it('keeps a purchase while one of its sessions is booked', async () => {
  const consulting = await Consulting.open(api);
  const { id: slot } = await consulting.slot(100);
  const { id } = await consulting.purchase();
  const booking = await consulting.booked(slot, id);
  const revoke = () => api.send('POST', `${consulting.path}/purchases/${id}/revoke`);
  expect((await revoke()).body).toMatchObject({ code: 'resource_in_use' });
  await consulting.act(slot, booking, 'cancel');
  expect((await revoke()).body).toMatchObject({ state: 'revoked' });
});

it('grants as many sessions for as long as the service says, or the body', async () => {
  const consulting = await Consulting.open(api, { sessions_included: 4, validity_days: 10 });
  const { expires_at, ...purchase } = await consulting.purchase();
  expect(purchase).toMatchObject({ sessions_total: 4, sessions_used: 0, sessions_remaining: 4, state: 'active' });
  const days = (new Date(String(expires_at)).getTime() - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(10);
  expect(await consulting.purchase({ sessions_total: 1, expires_at: null })).toMatchObject({
    sessions_total: 1,
    expires_at: null,
  });
});

it('records attendance when the session has begun', async () => {
  const consulting = await Consulting.open(api);
  const [past, ahead] = [await consulting.slot(-5), await consulting.slot(5)];
  const { id: purchase } = await consulting.purchase();
  const [held, coming] = [await consulting.booked(past.id, purchase), await consulting.booked(ahead.id, purchase)];
  expect((await consulting.act(ahead.id, coming, 'complete')).body).toMatchObject({ code: 'invalid_state' });
  expect((await consulting.act(past.id, held, 'no_show')).body).toMatchObject({ state: 'no_show' });
  expect((await consulting.act(past.id, held, 'complete')).body).toMatchObject({ state: 'completed' });
  expect((await api.events.of([held], 3)).map(({ type }) => type.split('.')[2])).toEqual([
    'booked',
    'missed',
    'completed',
  ]);
  expect(await consulting.readPurchase(purchase)).toMatchObject({ sessions_used: 2 });
});

it('shows a teacher the purchases of own services and the bookings of own slots', async () => {
  const [mine, theirs] = [await newLecturer(api), await newLecturer(api)];
  const own = await Consulting.open(api, { lecturer_ids: [mine.id, theirs.id] });
  const [slot, other] = [await own.slot(60, { capacity: 2 }), await own.slot(60, { lecturer_id: theirs.id })];
  const [first, second] = [await own.purchase(), await own.purchase()];
  const id = await own.booked(slot.id, first.id);
  const foreign = await own.booked(other.id, second.id);
  const member = { member_id: mine.member_id, roles: ['lecturer' as const] };
  const call = (name: string, args: object) =>
    toolCaller(api).call<Record<string, unknown>>(name, args, { scopes: ['students:read', 'students:write'], member });
  const service = { consulting_service_id: own.service_id };
  expect(await call('list_consulting_purchases', service)).toMatchObject({
    items: [{ id: second.id }, { id: first.id }],
  });
  expect(await call('list_bookings', { slot_id: slot.id })).toMatchObject({ items: [{ id }] });
  expect(await call('list_bookings', { slot_id: other.id })).toMatchObject({ code: 'not_found' });
  expect(await call('cancel_booking', { slot_id: other.id, booking_id: foreign })).toMatchObject({ code: 'not_found' });
  const book = (slot_id: string) => call('create_booking', { slot_id, purchase_id: second.id });
  expect(await book(slot.id)).toMatchObject({ booking: { student_id: second.student_id } });
  expect(await book(other.id)).toMatchObject({ code: 'not_found' });
  const revoke = call('revoke_consulting_purchase', { ...service, purchase_id: first.id });
  expect(await revoke).toMatchObject({ code: 'forbidden' });
  const grant = call('grant_consulting_purchase', { ...service, student_id: first.student_id });
  expect(await grant).toMatchObject({ code: 'forbidden' });
});

it('grants sessions by a tool, once for each external id', async () => {
  const consulting = await Consulting.open(api, { sessions_included: 4 });
  const args = { consulting_service_id: consulting.service_id, student_id: await newStudent(api) };
  const caller = { scopes: ['students:read', 'students:write'] };
  const grant = (more: object) =>
    toolCaller(api).call<{ purchase: { id: string | null } }>(
      'grant_consulting_purchase',
      { ...args, ...more },
      caller,
    );
  expect(await grant({ dry_run: true })).toMatchObject({ dry_run: true, purchase: { id: null, sessions_total: 4 } });
  const order = { external_id: randomUUID(), sessions_total: 2 };
  const { id } = (await grant(order)).purchase;
  expect(await grant(order)).toMatchObject({ code: 'already_exists' });
  expect(await consulting.readPurchase(String(id))).toMatchObject({ student_id: args.student_id, sessions_total: 2 });
  expect((await grant({})).purchase.id).not.toBe(id);
});

it('publishes purchases and bookings again with the person when the student is linked', async () => {
  const consulting = await Consulting.open(api);
  const { id: slot } = await consulting.slot(100);
  const purchase = await consulting.purchase();
  const id = await consulting.booked(slot, purchase.id);
  const { student_id } = purchase;
  const { body } = await api.send('GET', `/api/v1/students/${student_id}`);
  const [person_id, member_id] = [randomUUID(), randomUUID()];
  const member = { person_id, member_id, email: String(body['email']), name: 'Mei', student_id };
  const [{ site_id }] = api.sites;
  await api.events.sendRoles({ ...member, site_id, roles: ['student'], joined_at: '2026-10-01T08:00:00.000Z' }, 1);
  const linked = (await api.events.of([purchase.id, id], 5)).filter(({ type }) => type.includes('.linked.'));
  expect(
    linked.map(({ aggregate_id, aggregate_version, data }) => [aggregate_id, aggregate_version, data['person_id']]),
  ).toEqual([
    [purchase.id, 3, person_id],
    [id, 2, person_id],
  ]);
});
