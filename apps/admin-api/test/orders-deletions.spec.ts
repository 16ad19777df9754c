import { randomUUID } from 'node:crypto';
import { TestEvent } from './new-events.js';
import { Shop } from './shop.js';
import type { Line } from './shop.js';

const shop = Shop.ofFile();
const { checkout } = shop;

const PENDING = { state: 'pending', paid_at: null };

/** Something to sell, and the path of what an operator may delete. */
const MAKERS: Readonly<Record<string, () => Promise<{ readonly line: Line; readonly path: string }>>> = {
  'a course': async () => {
    const { course_id, line } = await shop.coursePlan();
    return { line, path: `/api/v1/courses/${course_id}` };
  },
  'a course plan': async () => {
    const { id, course_id, line } = await shop.coursePlan();
    return { line, path: `/api/v1/courses/${course_id}/plans/${id}` };
  },
  'a ticket': async () => {
    const { id, event, line } = await shop.seat();
    return { line, path: `${event.path}/tickets/${id}` };
  },
  'a consulting service': async () => {
    const { service_id, path } = await checkout.newService();
    return { line: { item_type: 'consulting_sessions', item: { id: service_id } }, path };
  },
};

/** Drafts, whose sale waits for their publication. */
const DRAFTS: typeof MAKERS = {
  'a draft of an event': async () => {
    const { event, line } = await shop.seat({}, await TestEvent.draft(shop.api, {}));
    return { line, path: event.path };
  },
  'a draft of a membership plan': () => shop.membership({ state: 'draft' }),
};

const make = (what: string) => {
  const maker = { ...MAKERS, ...DRAFTS }[what];
  if (maker === undefined) throw new Error(`Nothing makes ${what}`);
  return maker();
};

it.each(Object.keys(MAKERS))('keeps %s for the payment of a pending order', async (what) => {
  const { line, path } = await make(what);
  const paid = checkout.order(await checkout.newStudent(), [line]);
  await checkout.record({ ...paid, idempotency_key: randomUUID(), ...PENDING });
  const refused = await shop.api.send('DELETE', path);
  expect([refused.status, refused.body['code']]).toEqual([409, 'resource_in_use']);
  const { line_items } = await checkout.record(paid);
  expect(line_items).toMatchObject([{ granted_id: expect.any(String) }]);
});

describe.each(Object.keys({ ...MAKERS, ...DRAFTS }))('the deletion of %s', (what) => {
  it('fails while an order of it is pending, and succeeds after the order has failed', async () => {
    const { line, path } = await make(what);
    const order = checkout.order(await checkout.newStudent(), [line], PENDING);
    await checkout.record(order);
    const refused = await shop.api.send('DELETE', path);
    expect([refused.status, refused.body['code']]).toEqual([409, 'resource_in_use']);
    await checkout.record({ ...order, idempotency_key: randomUUID(), state: 'failed' });
    expect((await shop.api.send('DELETE', path)).status).toBe(204);
  });

  it('never passes while an order of it is recorded', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { line, path } = await make(what);
      const order = checkout.order(await checkout.newStudent(), [line], PENDING);
      const [[recorded], deleted] = await Promise.all([
        checkout.race([() => checkout.record(order)]),
        shop.api.send('DELETE', path),
      ]);
      expect([
        ['done', 409],
        ['not_found', 204],
      ]).toContainEqual([recorded, deleted.status]);
    }
  });
});
