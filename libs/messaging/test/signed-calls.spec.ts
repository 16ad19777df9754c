import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { REQUEST_HEADERS, capabilitySubject, replySchema } from '@lyceum/contracts';
import type { Principal, Reply } from '@lyceum/contracts';
import { currentActor } from '@lyceum/platform';
import type { Actor } from '@lyceum/platform';
import { connectAs, eventually, signedCall, testNats } from '@lyceum/testing';
import type { GatewayCall, TestNats } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { Nats, Requests, callSigningEnvironment } from '../src/index.js';
import type { Caller } from '../src/index.js';
import { closeServices, logs, startService } from './service.js';

const SITE = '018f3b1e-0000-7000-8000-000000000001';
const SUBJECT = capabilitySubject('admin-api', 'tool', { name: 'make', version: '0123456789abcdef' });
const principal: Principal = {
  person_id: '018f3b1e-0000-7000-8000-000000000002',
  member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  site_id: SITE,
  client_id: 'a-client',
  audience: 'operator',
  scopes: ['courses:write'],
  roles: ['owner'],
  grant_id: 'a-grant',
  token_fingerprint: '0123456789abcdef',
  expires_at: 4_000_000_000,
};
const exported = (key: ReturnType<typeof generateKeyPairSync>['privateKey']): string =>
  key.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const [present, next, unknown] = [1, 2, 3].map(() => generateKeyPairSync('ed25519')) as [
  ReturnType<typeof generateKeyPairSync>,
  ReturnType<typeof generateKeyPairSync>,
  ReturnType<typeof generateKeyPairSync>,
];

let nats: TestNats;
let gateway: NatsConnection;
let executed: (Caller & { readonly body: unknown; readonly actor: Actor | undefined })[] = [];

beforeAll(async () => {
  nats = await testNats();
  gateway = await connectAs(nats.environment('mcp-gateway'));
  const owner = await startService({
    service: 'admin-api',
    nats: nats.environment('admin-api'),
    trustedKeys: [present.publicKey, next.publicKey],
  });
  owner.get(Requests).handleSubject(SUBJECT, async (body, caller) => {
    executed.push({ ...caller, body, actor: currentActor() });
    return { made: true };
  });
  // Without a connection nothing is subscribed to.
  const connection = await owner.get(Nats).ready();
  await owner.get(Requests).listening();
  await connection.flush();
});
beforeEach(() => void (executed = []));
afterAll(async () => {
  await gateway.close();
  await closeServices();
  await nats.stop();
});

const call = (change: Partial<GatewayCall> = {}): GatewayCall => ({
  subject: SUBJECT,
  body: '{"arguments":{}}',
  site_id: SITE,
  principal,
  ...change,
});

async function sent(body: string, written: MsgHdrs): Promise<Reply> {
  return replySchema.parse((await gateway.request(SUBJECT, body, { timeout: 30_000, headers: written })).json());
}

const send = (one: GatewayCall, key = exported(present.privateKey)): Promise<Reply> =>
  sent(one.body, signedCall(one, key));

test.each([
  ['the present key', present],
  ['the next key', next],
])('executes a call that %s signed, in the name of its principal', async (_which, { privateKey }) => {
  expect(await send(call({ idempotencyKey: 'k' }), exported(privateKey))).toEqual({ ok: true, result: { made: true } });
  const { member_id, client_id } = principal;
  const actor = { site_id: SITE, member_id, client_id, via: 'tool' };
  expect(executed).toEqual([expect.objectContaining({ principal, site_id: SITE, idempotencyKey: 'k', actor })]);
});

test('executes a signed anonymous call', async () => {
  expect(await send(call({ principal: null }))).toEqual({ ok: true, result: { made: true } });
  expect(executed[0]?.principal).toBeNull();
});

test('executes a call with the longest time limit when the clock of its owner is a second behind', async () => {
  const longest = 60_000;
  const accepted = [longest, longest + 1].map(
    (ms) => callSigningEnvironment.CALL_TIMEOUT_MS.safeParse(`${ms}`).success,
  );
  expect(accepted).toEqual([true, false]);
  expect(await send(call({ deadline: Date.now() + 1_000 + longest }))).toMatchObject({ ok: true });
});

const changed = (name: string, value: string): MsgHdrs => {
  const written = signedCall(call(), exported(present.privateKey));
  written.set(name, value);
  return written;
};
const unsigned = (): MsgHdrs => {
  const written = signedCall(call(), exported(present.privateKey));
  written.delete(REQUEST_HEADERS.signature);
  return written;
};
const refused = { ok: false, error: { code: 'forbidden', detail: expect.stringContaining('not signed') } };

test.each<[string, () => Promise<Reply>]>([
  ['without a signature', () => sent(call().body, unsigned())],
  ['that is anonymous and has no signature', () => sent(call().body, headers())],
  ['that another key signed', () => send(call(), exported(unknown.privateKey))],
  [
    'with another principal',
    () =>
      sent(
        call().body,
        changed(REQUEST_HEADERS.principal, JSON.stringify({ ...principal, scopes: ['students:write'] })),
      ),
  ],
  ['for another site', () => sent(call().body, changed(REQUEST_HEADERS.site, randomUUID()))],
  ['with a later deadline', () => sent(call().body, changed(REQUEST_HEADERS.deadline, String(Date.now() + 50_000)))],
  ['with another idempotency key', () => sent(call().body, changed(REQUEST_HEADERS.idempotencyKey, 'other'))],
  ['with other arguments', () => sent('{"arguments":{"all":true}}', signedCall(call(), exported(present.privateKey)))],
  ['that was signed for another tool', () => send(call({ subject: `${SUBJECT}x` }))],
  ['with a deadline more than 70 seconds away', () => send(call({ deadline: Date.now() + 75_000 }))],
  ['without a deadline', () => send(call({ deadline: Number.NaN }))],
])('refuses a call %s', async (_what, attempt) => {
  expect(await attempt()).toEqual(refused);
  expect(executed).toEqual([]);
});

test('refuses a signed call after its deadline', async () => {
  expect(await send(call({ deadline: Date.now() - 1 }))).toMatchObject({ error: { code: 'temporarily_unavailable' } });
  expect(executed).toEqual([]);
});

test('executes nothing when the reply would go to another service', async () => {
  // The owner's own credentials: only its account can publish such a message.
  const own = await connectAs(nats.environment('admin-api'));
  try {
    const before = logs.length;
    const headersOfCall = signedCall(call(), exported(present.privateKey));
    own.subscribe('tools.admin-api.spy.>', { callback: () => undefined });
    // A publication with a reply makes JetStream publish its acknowledgement on the tool's subject.
    own.publish('school.course.created.v1', call().body, { headers: headersOfCall, reply: SUBJECT });
    await own.flush();
    await eventually(() =>
      logs.slice(before).some((line) => line.includes('its reply goes to a service that may not send it')),
    );
    expect(executed).toEqual([]);
  } finally {
    await own.close();
  }
});
