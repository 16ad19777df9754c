import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Consulting, hoursAhead, newLecturer } from './consulting.js';
import { unique } from './new-course.js';
import { statementsOf } from './statements.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const send = (consulting: Consulting, body: object) => api.send('POST', `${consulting.path}/slots`, { body });

interface Results {
  readonly results: readonly {
    readonly status: number;
    readonly id: string | null;
    readonly errors: readonly { readonly pointer: string; readonly code: string; readonly id?: string }[];
  }[];
  readonly all_succeeded: boolean;
}

const bulk = (consulting: Consulting, body: object) =>
  api.send<Results>('POST', `${consulting.path}/slots/bulk`, { body });

describe('The slots of a lecturer', () => {
  it.each([
    ['that ends as it starts', 9, 10, 201],
    ['that starts as it ends', 11, 12, 201],
    ['within it', 10.25, 10.75, 409],
    ['around it', 9, 12, 409],
    ['over its start', 9.5, 10.5, 409],
    ['over its end', 10.5, 11.5, 409],
  ])('allows another slot %s, or refuses it', async (_what, from, to, status) => {
    const { id } = await newLecturer(api);
    const [one, other] = [
      await Consulting.open(api, { lecturer_ids: [id] }),
      await Consulting.open(api, { lecturer_ids: [id] }),
    ];
    const day = Date.now();
    const at = (hours: number): string => new Date(day + hours * 3_600_000).toISOString();
    expect((await send(one, { starts_at: at(10), ends_at: at(11) })).status).toBe(201);
    expect((await send(other, { starts_at: at(from), ends_at: at(to) })).status).toBe(status);
  });

  it('refuses overlapping slots that are added at the same time', async () => {
    const { id } = await newLecturer(api);
    const consulting = await Consulting.open(api, { lecturer_ids: [id] });
    const times = { starts_at: hoursAhead(30), ends_at: hoursAhead(31) };
    const sent = await Promise.all(Array.from({ length: 12 }, () => send(consulting, times)));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 11 }, () => 409),
    ]);
  });

  it('frees the time of a canceled slot, and keeps that of a patched one', async () => {
    const { id } = await newLecturer(api);
    const consulting = await Consulting.open(api, { lecturer_ids: [id] });
    const [first, second] = [await consulting.slot(40), await consulting.slot(42)];
    const times = { starts_at: first['starts_at'], ends_at: first['ends_at'] };
    const path = `${consulting.path}/slots/${second.id}`;
    expect((await api.send('PATCH', path, { body: times })).status).toBe(409);
    await api.send('POST', `${consulting.path}/slots/${first.id}/cancel`);
    expect((await api.send('PATCH', path, { body: times })).body).toMatchObject(times);
  });
});

it('takes the end, the lecturer and the address of a slot from its service', async () => {
  const { id } = await newLecturer(api);
  const join_url = 'https://example.com/room';
  const consulting = await Consulting.open(api, { lecturer_ids: [id], duration_minutes: 90, join_url });
  const { body } = await send(consulting, { starts_at: '2090-01-01T10:00:00Z' });
  expect(body).toMatchObject({ ends_at: '2090-01-01T11:30:00.000Z', lecturer_id: id, join_url });
});

it('adds 200 slots in one request, and names those that overlap', async () => {
  const { id } = await newLecturer(api);
  const consulting = await Consulting.open(api, { lecturer_ids: [id] });
  const at = (hour: number): string => new Date(Date.UTC(2091, 0, 1, hour)).toISOString();
  const items = Array.from({ length: 200 }, (_item, hour) => ({ starts_at: at(hour), ends_at: at(hour + 1) }));
  const [last] = items.slice(-1);
  const { body: none } = await bulk(consulting, { atomic: true, items: [...items.slice(0, 199), items[0]] });
  expect([none.all_succeeded, none.results.at(-1)]).toMatchObject([
    false,
    { status: 409, errors: [{ pointer: '/items/199/starts_at' }] },
  ]);
  const { body: all } = await bulk(consulting, { items });
  expect(all.all_succeeded).toBe(true);
  const { body: again } = await bulk(consulting, { items: [last, { starts_at: at(200), ends_at: at(201) }] });
  expect(again.results.map(({ status }) => status)).toEqual([409, 201]);
});

it('gives each slot of a request that cannot be added an error, and adds the others', async () => {
  const [one, two] = [await newLecturer(api), await newLecturer(api)];
  const consulting = await Consulting.open(api, { lecturer_ids: [one.id, two.id] });
  const at = (hour: number): string => new Date(Date.UTC(2092, 0, 1, hour)).toISOString();
  const known = await send(consulting, { starts_at: at(0), ends_at: at(1), external_id: unique('known') });
  const [taken, fresh] = [known.body['external_id'], unique('fresh')];
  const items = [
    { starts_at: at(1), ends_at: at(2), external_id: fresh, metadata: { a: 'b' }, capacity: 3 },
    { starts_at: at(0), ends_at: at(1) },
    { starts_at: at(0), ends_at: at(1), lecturer_id: two.id },
    { starts_at: at(2), ends_at: at(3), external_id: taken },
    { starts_at: at(2), ends_at: at(3), external_id: fresh },
    { starts_at: at(2), ends_at: at(3) },
    { starts_at: at(2), ends_at: at(4) },
    { starts_at: at(5), ends_at: at(4) },
    { starts_at: at(6), lecturer_id: (await newLecturer(api)).id },
    { starts_at: at(9), capacity: 0 },
  ];
  const { results } = (await bulk(consulting, { items })).body;
  expect(
    results.map(({ status, errors }) => [status, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)]),
  ).toEqual([
    [201],
    [409, '/items/1/starts_at invalid_value'],
    [201],
    [409, '/items/3/external_id already_exists'],
    [409, '/items/4/external_id already_exists'],
    [201],
    [409, '/items/6/starts_at invalid_value'],
    [422, '/items/7/ends_at too_small'],
    [422, '/items/8/lecturer_id not_found'],
    [422, '/items/9/capacity too_small'],
  ]);
  const id = results[0]?.id ?? '';
  expect(await consulting.readSlot(id)).toMatchObject({ ...items[0], lecturer_id: one.id, booked_count: 0 });
  const [event] = await api.events.of([id], 1);
  expect(event).toMatchObject({ type: 'school.consulting_slot.created.v1', data: { capacity: 3, starts_at: at(1) } });
});

it('adds no slot of two requests at the same time twice', async () => {
  const lecturers = [await newLecturer(api), await newLecturer(api)];
  const consulting = await Consulting.open(api, { lecturer_ids: lecturers.map(({ id }) => id) });
  const at = (hour: number): string => new Date(Date.UTC(2093, 0, 1, hour)).toISOString();
  const items = Array.from({ length: 20 }, (_item, hour) =>
    lecturers.map((lecturer) => ({ starts_at: at(hour), ends_at: at(hour + 1), lecturer_id: lecturer.id })),
  ).flat();
  const sent = await Promise.all([items, items.toReversed(), items].map((some) => bulk(consulting, { items: some })));
  const statuses = sent.flatMap(({ body }) => body.results.map(({ status }) => status));
  expect([201, 409].map((status) => statuses.filter((one) => one === status).length)).toEqual([40, 80]);
});

it('adds 200 slots with as many statements as two', async () => {
  const { id } = await newLecturer(api);
  const consulting = await Consulting.open(api, { lecturer_ids: [id] });
  const items = (count: number, year: number) =>
    Array.from({ length: count }, (_item, hour) => ({
      starts_at: new Date(Date.UTC(year, 0, 1, hour)).toISOString(),
      ends_at: new Date(Date.UTC(year, 0, 1, hour + 1)).toISOString(),
      external_id: unique('slot'),
    }));
  const counted = [];
  for (const some of [items(2, 2039), items(200, 2040)]) {
    const add = async () =>
      expect((await bulk(consulting, { items: some, atomic: true })).body.all_succeeded).toBe(true);
    counted.push(await statementsOf(api, 'consulting_slots_insert', add));
  }
  expect(counted[1]).toEqual(counted[0]);
  // Around them: transaction and savepoint. Terms, lecturers, other slots, external ids, slots, events with the log.
  expect(counted[1]?.filter((text) => !/^(start|begin|savepoint|release|commit)/i.test(text))).toHaveLength(6);
});

it('keeps the capacity at or above the booked places', async () => {
  const consulting = await Consulting.open(api);
  const slot = await consulting.slot(50, { capacity: 2 });
  for (let index = 0; index < 2; index++) await consulting.booked(slot.id, (await consulting.purchase()).id);
  const patch = (capacity: number) => api.send('PATCH', `${consulting.path}/slots/${slot.id}`, { body: { capacity } });
  const refused = await patch(1);
  expect([refused.status, refused.body['errors']]).toMatchObject([409, [{ pointer: '/capacity' }]]);
  expect((await patch(3)).body).toMatchObject({ capacity: 3, booked_count: 2 });
});

it('shows a teacher own services and slots, and lets them add own slots only', async () => {
  const [mine, theirs] = [await newLecturer(api), await newLecturer(api)];
  const own = await Consulting.open(api, { lecturer_ids: [mine.id, theirs.id] });
  const other = await Consulting.open(api, { lecturer_ids: [theirs.id] });
  const [slot] = [await own.slot(60), await own.slot(60, { lecturer_id: theirs.id })];
  const member = { member_id: mine.member_id, roles: ['lecturer' as const] };
  const call = (name: string, args: object) =>
    toolCaller(api).call<{ items: { id: string }[] }>(name, args, {
      scopes: ['courses:read', 'courses:write'],
      member,
    });
  const ids = async (name: string, args: object = {}) => (await call(name, args)).items.map(({ id }) => id);
  expect(await ids('list_consulting_services')).toEqual([own.service_id]);
  expect(await ids('list_consulting_slots', { consulting_service_id: own.service_id })).toEqual([slot.id]);
  const add = (consulting: Consulting, lecturer_id: string) =>
    call('create_consulting_slot', {
      consulting_service_id: consulting.service_id,
      starts_at: '2090-01-01T10:00:00Z',
      lecturer_id,
    });
  expect(await add(own, mine.id)).toMatchObject({ slot: { lecturer_id: mine.id } });
  expect(await add(own, theirs.id)).toMatchObject({ code: 'forbidden' });
  expect(await add(other, theirs.id)).toMatchObject({ code: 'not_found' });
  const change = (args: object) => call('update_consulting_service', { id: own.service_id, ...args });
  expect(await change({ name: 'Renamed' })).toMatchObject({ consulting_service: { name: 'Renamed' } });
  expect(await change({ lecturer_ids: [mine.id] })).toMatchObject({ code: 'forbidden' });
  expect(await call('delete_consulting_service', { id: own.service_id })).toMatchObject({ code: 'forbidden' });
});

it('names the slot that has the external_id of an item to callers who see it, also in a dry run', async () => {
  const [mine, theirs] = [await newLecturer(api), await newLecturer(api)];
  const consulting = await Consulting.open(api, { lecturer_ids: [mine.id, theirs.id] });
  const own = await consulting.slot(70, { external_id: unique('own') });
  const other = await consulting.slot(70, { external_id: unique('other'), lecturer_id: theirs.id });
  const items = [own, other].map(({ external_id }) => ({ starts_at: hoursAhead(72), external_id }));
  const arguments_json = JSON.stringify({
    path: { consulting_service_id: consulting.service_id },
    body: { items },
  });
  const teacher = { scopes: ['courses:write'], member: { member_id: mine.member_id, roles: ['lecturer' as const] } };
  const named = ({ results }: Results) => results.map(({ status, errors: [error] }) => [status, error?.id]);
  for (const dry_run of [true, false]) {
    const args = { operation_id: 'createConsultingSlots', arguments_json, dry_run };
    const { body } = await toolCaller(api).call<{ body: Results }>('change_operation', args, teacher);
    expect(named(body)).toEqual([
      [409, own.id],
      [409, undefined],
    ]);
  }
  expect(named((await bulk(consulting, { items })).body)).toEqual([
    [409, own.id],
    [409, other.id],
  ]);
});

it('publishes a service again with the new name of its first lecturer, whom it keeps', async () => {
  const { id } = await newLecturer(api);
  const consulting = await Consulting.open(api, { lecturer_ids: [id] });
  const { headers } = await api.send('GET', consulting.path);
  const renamed = await api.send('PATCH', `/api/v1/lecturers/${id}`, { body: { name: 'Mei Lin-Wang' } });
  expect(renamed.status).toBe(200);
  // It is no edit of the service.
  expect((await api.send('GET', consulting.path)).headers['etag']).toBe(headers['etag']);
  const events = await api.events.of([consulting.service_id], 2);
  expect(events.map(({ type, data }) => [type, data['lecturer']])).toEqual([
    ['school.consulting_service.created.v1', { lecturer_id: id, name: 'Mei Lin' }],
    ['school.consulting_service.updated.v1', { lecturer_id: id, name: 'Mei Lin-Wang' }],
  ]);
  const removed = await api.send('DELETE', `/api/v1/lecturers/${id}`);
  expect([removed.status, removed.body['code']]).toEqual([409, 'resource_in_use']);
});
