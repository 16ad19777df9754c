import { generateKeyPairSync } from 'node:crypto';
import { defineRequest, describePerson } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { currentRequest, runInTrace } from '@lyceum/platform';
import type { RequestContext } from '@lyceum/platform';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { Svcm } from '@nats-io/services';
import { z } from 'zod';
import { Nats, NotDelivered, Requests } from '../src/index.js';
import type { HandlerContext } from '../src/index.js';
import { closeServices, logs, sleep, startService } from './service.js';
import type { TestService } from './service.js';

const SITE = '018f3b1e-0000-7000-8000-000000000001';
const PERSON = '018f3b1e-0000-7000-8000-000000000002';
const ADA = { name: 'Ada', email: 'ada@example.com', picture: null, roles: [] };
const principal: Principal = {
  person_id: PERSON,
  member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  site_id: SITE,
  client_id: 'https://client.example/metadata.json',
  audience: 'member',
  scopes: ['account:read'],
  roles: ['student'],
  grant_id: 'g1',
  token_fingerprint: '0123456789abcdef',
  expires_at: 2_000_000_000,
};
/** A request of the service to itself, which its user may send. */
const echo = defineRequest({
  service: 'auth',
  name: 'echo',
  version: 1,
  input: z.object({ text: z.string(), wait: z.number().default(0) }),
  output: z.object({ text: z.string() }),
});
const keys = generateKeyPairSync('ed25519');
const releases: (() => void)[] = [];
const hang = (): Promise<typeof ADA> => new Promise((resolve) => releases.push(() => resolve(ADA)));

let nats: TestNats;
let auth: TestService;
let gateway: TestService;
beforeAll(async () => {
  nats = await testNats();
});
beforeEach(async () => {
  [auth, gateway] = await Promise.all([
    startService({ service: 'auth', nats: nats.environment('auth'), trustedKeys: [keys.publicKey] }),
    startService({ service: 'mcp-gateway', nats: nats.environment('mcp-gateway'), signingKey: keys.privateKey }),
  ]);
  await Promise.all([auth.get(Nats).ready(), gateway.get(Nats).ready()]);
});
afterEach(() => {
  for (const release of releases.splice(0)) release();
  return closeServices();
});
afterAll(() => nats.stop());

const ask = (options: Partial<Parameters<Requests['request']>[2]> = {}, person_id = PERSON) =>
  gateway.get(Requests).request(describePerson, { person_id, site_id: SITE }, { site_id: SITE, ...options });

async function apiErrorOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(() => 'It succeeded.').catch((reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw error;
}

/** Resolves once a request has reached the handler. */
let begun: Promise<void>;

async function answering(handler: (caller: HandlerContext) => Promise<typeof ADA>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  begun = promise;
  auth.get(Requests).handle(describePerson, (_input, caller) => {
    resolve();
    return handler(caller);
  });
  await flushed(auth);
}

async function flushed(service: TestService): Promise<void> {
  // The service subscribes in a later turn of the event loop.
  await sleep(5);
  await (await service.get(Nats).ready()).flush();
}

test('handles a request with the identity of the caller', async () => {
  let seen: HandlerContext | undefined;
  await answering(async (caller) => {
    seen = caller;
    return ADA;
  });
  const before = Date.now();
  expect(await ask({ principal, idempotencyKey: 'k1', timeoutMs: 1_500 })).toEqual(ADA);
  expect(seen).toMatchObject({ site_id: SITE, principal, idempotencyKey: 'k1', requestId: expect.any(String) });
  expect(seen?.deadline).toBeGreaterThanOrEqual(before + 1_500);
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});

test('runs the handler under the request id and trace of the caller', async () => {
  let seen: RequestContext | undefined;
  await answering(async (caller) => {
    seen = currentRequest();
    expect(caller.requestId).toBe('request-1');
    return ADA;
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const carrier = { 'x-request-id': 'request-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  await runInTrace(carrier, 'test', () => ask());
  expect(seen).toEqual({ requestId: 'request-1', traceId });
});

test('maps an unavailable database to temporarily unavailable', async () => {
  await answering(() => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })));
  expect((await apiErrorOf(ask())).code).toBe('temporarily_unavailable');
});

test('passes no principal for an anonymous caller', async () => {
  let seen: HandlerContext | undefined;
  await answering(async (caller) => {
    seen = caller;
    return ADA;
  });
  await ask();
  expect(seen?.principal).toBeNull();
  expect(seen?.idempotencyKey).toBeUndefined();
});

test('drops members that the output schema does not name', async () => {
  await answering(async () => ({ ...ADA, password_hash: 'secret' }));
  const reply = await gateway
    .get(Requests)
    .call(describePerson.subject, { person_id: PERSON, site_id: SITE }, { site_id: SITE });
  expect(reply).toEqual({ ok: true, result: ADA });
});

test('throws the handler’s API error to the caller with code, detail and errors', async () => {
  const errors = [{ pointer: '/person_id', code: 'not_found', detail: 'No such person' }] as const;
  await answering(() =>
    Promise.reject(new ApiError('not_found', 'No course has this id.', { errors, hint: 'Ask again.' })),
  );
  expect(await apiErrorOf(ask())).toMatchObject({
    code: 'not_found',
    message: 'No course has this id.',
    errors,
    hint: 'Ask again.',
  });
});

test('logs an unexpected error at the handler and returns only "internal"', async () => {
  await answering(() => Promise.reject(new Error('the secret detail')));
  const apiError = await apiErrorOf(ask());
  expect(apiError.code).toBe('internal');
  expect(apiError.message).not.toContain('secret');
  expect(logs.join()).toContain('the secret detail');
});

test('rejects an input that does not fit the schema, with pointers', async () => {
  await answering(async () => ADA);
  const reply = await gateway.get(Requests).call(describePerson.subject, { person_id: 'x' }, { site_id: SITE });
  expect(reply).toMatchObject({
    ok: false,
    error: { code: 'validation_failed', errors: [{ pointer: '/person_id' }, { pointer: '/site_id' }] },
  });
});

test('rejects a message without the required headers or JSON, and does not execute it', async () => {
  const handler = jest.fn(async () => ADA);
  await answering(handler);
  const connection = await gateway.get(Nats).ready();
  const bare = await connection.request(describePerson.subject, '{}');
  expect(bare.json()).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  expect(handler).not.toHaveBeenCalled();
});

test('fails immediately without responders', async () => {
  const apiError = await apiErrorOf(ask({ timeoutMs: 60_000 }));
  expect(apiError).toMatchObject({ code: 'temporarily_unavailable', retryAfter: 1 });
  expect(apiError.message).toBe('No instance of the service is available.');
});

test('times out as temporarily unavailable, with its own detail', async () => {
  await answering(hang);
  const apiError = await apiErrorOf(ask({ timeoutMs: 30 }));
  expect(apiError).toMatchObject({ code: 'temporarily_unavailable', message: 'The service did not respond in time.' });
});

test('does not execute a request whose deadline passed in the queue', async () => {
  const executed: string[] = [];
  auth.get(Requests).handle(echo, async ({ text, wait }) => {
    executed.push(text);
    await sleep(wait);
    return { text };
  });
  await flushed(auth);
  const requests = auth.get(Requests);
  // Blocks all handlers for longer than the next request's deadline.
  const busy = Array.from({ length: 64 }, (_, n) =>
    requests.request(echo, { text: `busy ${n}`, wait: 150 }, { site_id: SITE, timeoutMs: 30_000 }),
  );
  const late = await apiErrorOf(requests.request(echo, { text: 'late' }, { site_id: SITE, timeoutMs: 50 }));
  expect(late.code).toBe('temporarily_unavailable');
  await Promise.all(busy);
  expect(await requests.request(echo, { text: 'next' }, { site_id: SITE })).toEqual({ text: 'next' });
  expect(executed).toHaveLength(65);
  expect(executed).not.toContain('late');
});

test('fails at once while NATS is down, and fails pending requests when the connection breaks', async () => {
  await answering(hang);
  const underWay = apiErrorOf(ask({ timeoutMs: 60_000 }));
  await begun;
  await nats.kill();
  const fateOf = (error: ApiError) => [error.message, error instanceof NotDelivered];
  expect(fateOf(await underWay)).toEqual(['The connection was lost before the answer came.', false]);
  await eventually(() => !gateway.get(Nats).connected);
  const later = await apiErrorOf(ask({ timeoutMs: 60_000 }));
  expect(fateOf(later)).toEqual(['The message broker cannot be reached.', true]);
  await nats.restart();
});

test('handles requests again after NATS was restarted', async () => {
  await answering(async () => ADA);
  await nats.kill();
  await eventually(() => !auth.get(Nats).connected && !gateway.get(Nats).connected);
  await nats.restart();
  await Promise.all([flushed(auth), flushed(gateway)]);
  expect(await ask()).toEqual(ADA);
});

test('stops waiting when the caller aborts', async () => {
  await answering(hang);
  const abort = new AbortController();
  const waiting = ask({ timeoutMs: 60_000, signal: abort.signal });
  await begun;
  abort.abort('a reason need not be an error');
  await expect(waiting).rejects.toBe('a reason need not be an error');
  await expect(ask({ signal: abort.signal })).rejects.toBe('a reason need not be an error');
});

test('rejects an oversized request before sending, and an oversized reply, and keeps working', async () => {
  auth.get(Requests).handle(echo, async ({ text }) => ({ text: text === 'large' ? 'x'.repeat(2_000_000) : text }));
  await flushed(auth);
  const send = (text: string) => auth.get(Requests).request(echo, { text }, { site_id: SITE });
  expect((await apiErrorOf(send('x'.repeat(2_000_000)))).code).toBe('payload_too_large');
  expect((await apiErrorOf(send('large'))).hint).toBe('Ask for less at once, and do not repeat a change.');
  expect(await send('small')).toEqual({ text: 'small' });
  expect(auth.get(Nats).connected).toBe(true);
});

test('distributes the requests among replicas', async () => {
  const counts = [0, 0];
  const replicas = [auth, await startService({ service: 'auth', nats: nats.environment('auth') })];
  for (const [index, service] of replicas.entries()) {
    service.get(Requests).handle(echo, async ({ text }) => {
      counts[index] = (counts[index] ?? 0) + 1;
      return { text };
    });
    await flushed(service);
  }
  const asked = Array.from({ length: 40 }, () => auth.get(Requests).request(echo, { text: 'a' }, { site_id: SITE }));
  await Promise.all(asked);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(Number(counts[0]) + Number(counts[1])).toBe(40);
});

test('lists the service and its endpoints in the NATS services protocol', async () => {
  await answering(async () => ADA);
  await ask();
  const connection = await connectAs(nats.environment('admin'));
  const found = [];
  for await (const stats of await new Svcm(connection).client().stats('auth')) found.push(stats);
  await connection.close();
  expect(found).toHaveLength(1);
  expect(found[0]?.endpoints).toMatchObject([
    { name: 'describe_person-v1', subject: describePerson.subject, num_requests: 1, queue_group: 'auth' },
  ]);
});

test('rejects a second handler of the same subject', () => {
  const handle = () => auth.get(Requests).handleSubject('requests.auth.x.v1', async () => null);
  handle();
  expect(handle).toThrow('has two handlers');
});

test('finishes running requests when the service stops', async () => {
  await answering(async () => {
    // Longer than a stop that does not wait for it.
    await sleep(100);
    return ADA;
  });
  const waiting = ask();
  await begun;
  await auth.close();
  expect(await waiting).toEqual(ADA);
  expect((await apiErrorOf(ask())).message).toBe('No instance of the service is available.');
});
