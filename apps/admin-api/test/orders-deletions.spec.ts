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

/** Something to sell that an operator then withdraws. */
const WITHDRAWN: Readonly<Record<string, () => Promise<{ line: Line; withdraw: () => Promise<unknown> }>>> = {
  'a course plan that is not active': async () => {
    const { id, course_id, line } = await shop.coursePlan();
    return { line, withdraw: () => change(`/api/v1/courses/${course_id}/plans/${id}`, { active: false }) };
  },
  'a plan of an archived course': async () => {
    const { course_id, line } = await shop.coursePlan();
    return { line, withdraw: () => archive(`/api/v1/courses/${course_id}`) };
  },
  'an archived digital product': async () => {
    const { path, line } = await shop.product();
    return { line, withdraw: () => act(path, ['unpublish', 'archive']) };
  },
  'an archived consulting service': async () => {
    const { service_id, path } = await checkout.newService();
    return { line: { item_type: 'consulting_sessions', item: { id: service_id } }, withdraw: () => archive(path) };
  },
  'an archived membership plan': async () => {
    const { path, line } = await shop.membership();
    return { line, withdraw: () => act(path, ['archive']) };
  },
};

async function act(path: string, actions: readonly string[]): Promise<void> {
  for (const action of actions) expect((await shop.api.send('POST', `${path}/${action}`)).status).toBe(200);
}

const archive = (path: string): Promise<void> => act(path, ['publish', 'unpublish', 'archive']);

async function change(path: string, body: object): Promise<void> {
  expect((await shop.api.send('PATCH', path, { body })).status).toBe(200);
}

it.each(Object.keys(WITHDRAWN))('sells %s to an order that was pending before, and to no other', async (what) => {
  const { line, withdraw } = await WITHDRAWN[what]!();
  const paid = checkout.order(await checkout.newStudent(), [line]);
  await checkout.record({ ...paid, idempotency_key: randomUUID(), ...PENDING });
  await withdraw();
  const other = checkout.order(await checkout.newStudent(), [line]);
  expect(await checkout.refused(other)).toMatchObject({ code: 'invalid_state' });
  expect(await checkout.refused({ ...other, idempotency_key: randomUUID(), ...PENDING })).toEqual({
    code: 'invalid_state',
    pointers: ['/line_items/0/item'],
  });
  const { line_items, ...order } = await checkout.record(paid);
  expect([order, line_items]).toMatchObject([{ state: 'paid' }, [{ granted_id: expect.any(String) }]]);
});

it('refuses to sell the draft of a membership plan to a pending order', async () => {
  const { line } = await shop.membership({ state: 'draft' });
  const paid = checkout.order(await checkout.newStudent(), [line]);
  await checkout.record({ ...paid, idempotency_key: randomUUID(), ...PENDING });
  expect(await checkout.refused(paid)).toEqual({ code: 'invalid_state', pointers: ['/line_items/0/item'] });
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
