import { eventually } from '@lyceum/testing';
import { uuidv7 } from '@lyceum/platform';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';

let api: TestApi;
let database: pg.Client;
let school: PurchaseWorld;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  school = new PurchaseWorld(api.world);
  member = await api.member();
});
afterAll(() => api.stop());

const from = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** The changes of a membership in the notifications, once a later event has been applied. */
async function changesOf(plan_name: string): Promise<string[]> {
  const { subscription_id } = await school.subscription({ ...member, state_since: from(-90 * 86_400_000) });
  const applied = 'select from subscriptions where subscription_id = $1';
  await eventually(async () => (await database.query(applied, [subscription_id])).rowCount === 1);
  const { rows } = await database.query<{ change: string }>(
    `select parameters->>'change' as change from notifications
     where kind = 'membership_changed' and parameters->>'plan' = $1 order by created_at, notification_id`,
    [plan_name],
  );
  return rows.map(({ change }) => change);
}

it('notifies of a renewal soon after the beginning of a membership, and of both once', async () => {
  const plan_name = uuidv7();
  const known = await school.subscription({ ...member, plan_name, state_since: from(0) }, { name: 'activated' });
  expect(await changesOf(plan_name)).toEqual(['active']);
  for (const _ of [1, 2]) await school.subscription(known, { name: 'renewed', version: 2 });
  expect(await changesOf(plan_name)).toEqual(['active', 'renewed']);
});

it('notifies of a renewal that ends a delay as of another state', async () => {
  const plan_name = uuidv7();
  const late = { ...member, plan_name, state: 'past_due' as const, state_since: from(-1_000) };
  const known = await school.subscription(late, { name: 'past_due', version: 2 });
  expect(await changesOf(plan_name)).toEqual(['past_due']);
  await school.subscription({ ...known, state: 'active', state_since: from(0) }, { name: 'renewed', version: 3 });
  expect(await changesOf(plan_name)).toEqual(['past_due', 'active']);
});

it('notifies of no state that arrives after a later one', async () => {
  const plan_name = uuidv7();
  const known = await school.subscription(
    { ...member, plan_name, state_since: from(0) },
    { name: 'renewed', version: 2 },
  );
  const past = { state: 'past_due' as const, state_since: from(-60_000) };
  await school.subscription({ ...known, ...past }, { name: 'past_due', version: 1 });
  expect(await changesOf(plan_name)).toEqual(['active']);
});
