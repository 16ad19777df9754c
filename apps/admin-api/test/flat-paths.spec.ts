import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Consulting } from './consulting.js';
import { statementsOf } from './statements.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

interface Place {
  readonly nested: string;
  readonly flat: string;
}

/** A new object of each kind, at both of its paths. */
const places: Readonly<Record<string, () => Promise<Place>>> = {
  slot: async () => {
    const consulting = await Consulting.open(api);
    const { id } = await consulting.slot(24);
    return { nested: `${consulting.path}/slots/${id}`, flat: `/api/v1/slots/${id}` };
  },
  purchase: async () => {
    const consulting = await Consulting.open(api);
    const { id } = await consulting.purchase();
    return { nested: `${consulting.path}/purchases/${id}`, flat: `/api/v1/consulting_purchases/${id}` };
  },
  booking: async () => {
    const consulting = await Consulting.open(api);
    const [slot, purchase] = [await consulting.slot(24), await consulting.purchase()];
    const id = await consulting.booked(slot.id, purchase.id);
    return { nested: `/api/v1/slots/${slot.id}/bookings/${id}`, flat: `/api/v1/consulting_bookings/${id}` };
  },
};

const METADATA = { metadata: { a: 'b' } };

it.each<[string, string, string, object | undefined]>([
  ['PATCH', 'slot', '', { capacity: 2 }],
  ['POST', 'slot', '/cancel', undefined],
  ['PATCH', 'purchase', '', { sessions_total: 5 }],
  ['POST', 'purchase', '/revoke', undefined],
  ['PATCH', 'booking', '', METADATA],
])('sends the statements of the path below the parent for %s of a %s%s', async (method, kind, action, body) => {
  const sent = async (path: 'nested' | 'flat'): Promise<readonly string[]> => {
    const place = await places[kind]!();
    return statementsOf(api, 'outbox_one_with_activity_one', async () => {
      const { status, text } = await api.send(method, `${place[path]}${action}`, body ? { body } : {});
      if (status !== 200) throw new Error(text);
    });
  };
  const below = await sent('nested');
  expect(below.length).toBeGreaterThan(3);
  // The lock has one condition less.
  expect(await sent('flat')).toHaveLength(below.length);
});

it('changes an object of its own site and parent only', async () => {
  const { nested, flat } = await places['slot']!();
  const other = await Consulting.open(api);
  const elsewhere = nested.replace(/consulting_services\/[^/]+/, `consulting_services/${other.service_id}`);
  const change = (path: string, site = api.sites[0]) => api.send('PATCH', path, { site, body: { capacity: 3 } });
  expect([(await change(elsewhere)).status, (await change(flat, api.sites[1])).status]).toEqual([404, 404]);
  expect((await change(flat)).body).toMatchObject({ capacity: 3, consulting_service_id: expect.any(String) });
});
