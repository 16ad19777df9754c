import { recordProgress } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { currentActor } from '@lyceum/platform';
import type { Actor } from '@lyceum/platform';
import { connectAs, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { Nats, Requests } from '../src/index.js';
import { closeServices, sleep, startService } from './service.js';

const ID = '018f3b1e-0000-7000-8000-000000000001';
const COMMAND = {
  idempotency_key: 'k',
  site: 'org_1',
  student: { id: ID },
  course: { id: ID },
  lecture: { id: ID },
  position_seconds: 1,
  occurred_at: '2026-11-20T22:00:00.000Z',
};
const RESULT = {
  enrollment_id: ID,
  lecture_id: ID,
  position_seconds: 1,
  watched_at: COMMAND.occurred_at,
  completion_rate: 0,
  completed_at: null,
};

let nats: TestNats;
let storefront: NatsConnection;
let handle: () => Promise<unknown>;

beforeAll(async () => {
  nats = await testNats();
  const school = await startService({ service: 'admin-api', nats: nats.environment('admin-api') });
  school.get(Requests).handleCommand(recordProgress, () => handle());
  // The service subscribes in a later turn of the event loop.
  await sleep(5);
  await (await school.get(Nats).ready()).flush();
  storefront = await connectAs(nats.environment('storefront'));
});
afterAll(async () => {
  await storefront?.close();
  await closeServices();
  await nats.stop();
});

async function send(given: MsgHdrs = headers()): Promise<unknown> {
  const reply = await storefront.request(recordProgress.subject, JSON.stringify(COMMAND), {
    timeout: 30_000,
    headers: given,
  });
  return reply.json();
}

test('runs a command with the program as its actor and no person, even with headers that name one', async () => {
  let actor: Actor | undefined;
  handle = async () => {
    actor = currentActor();
    return RESULT;
  };
  const forged = headers();
  forged.set('Lyceum-Site', 'elsewhere');
  forged.set('Lyceum-Principal', JSON.stringify({ person_id: ID, member_id: ID, site_id: ID }));
  expect(await send(forged)).toEqual({ ok: true, result: RESULT });
  expect(actor).toEqual({ site_id: null, member_id: null, client_id: 'storefront', via: 'command' });
});

test.each([
  [new ApiError('invalid_state', 'No enrollment'), 'invalid_state'],
  [new ApiError('forbidden', 'Another code'), 'internal'],
  [new Error('a fault'), 'internal'],
])('refuses a command that ends with %s: %s', async (error, code) => {
  handle = () => Promise.reject(error);
  expect(await send()).toMatchObject({ ok: false, error: { code } });
});

test('treats a result that violates the contract as an unexpected error', async () => {
  handle = async () => ({ ...RESULT, completion_rate: null });
  expect(await send()).toMatchObject({ ok: false, error: { code: 'internal' } });
});
