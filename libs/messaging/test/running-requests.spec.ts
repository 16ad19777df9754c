import { generateKeyPairSync } from 'node:crypto';
import { MAX_PROGRESS } from '@lyceum/contracts';
import type { Progress } from '@lyceum/contracts';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { Nats, NoResponders, Requests } from '../src/index.js';
import type { HandlerContext, CallOptions } from '../src/index.js';
import { closeServices, startService } from './service.js';
import type { TestService } from './service.js';

const SITE = '018f3b1e-0000-7000-8000-000000000001';
const SUBJECT = 'tools.admin-api.tool.work.1';
const keys = generateKeyPairSync('ed25519');

let nats: TestNats;
let workers: TestService[];
let gateway: TestService;
let work: (caller: HandlerContext) => Promise<unknown>;
let seen: HandlerContext[];
/** The instances of the calls in `seen`. */
let places: number[];

beforeAll(async () => {
  nats = await testNats();
});
beforeEach(async () => {
  seen = [];
  places = [];
  workers = await Promise.all(
    [1, 2].map(() =>
      startService({ service: 'admin-api', nats: nats.environment('admin-api'), trustedKeys: [keys.publicKey] }),
    ),
  );
  gateway = await startService({
    service: 'mcp-gateway',
    nats: nats.environment('mcp-gateway'),
    signingKey: keys.privateKey,
  });
  for (const [place, worker] of workers.entries()) {
    worker.get(Requests).handleSubject(SUBJECT, (_body, caller) => {
      seen.push(caller);
      places.push(place);
      return work(caller);
    });
    await (await worker.get(Nats).ready()).flush();
  }
  await gateway.get(Nats).ready();
});
afterEach(closeServices);
afterAll(() => nats.stop());

const call = (options: Partial<CallOptions> = {}) =>
  gateway.get(Requests).call(SUBJECT, {}, { site_id: SITE, cancelable: true, ...options });

/** Works until the request is aborted. */
const untilAborted = ({ signal }: HandlerContext): Promise<unknown> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

test('cancels the handler when the caller disconnects, at whichever instance it runs', async () => {
  work = untilAborted;
  for (let round = 1; round <= 4; round += 1) {
    const abort = new AbortController();
    const waiting = call({ signal: abort.signal });
    await eventually(() => seen.length === round);
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await eventually(() => seen[round - 1]?.signal.aborted === true);
  }
});

test('finishes its calls when a shutdown begins, and leaves new ones to other instances', async () => {
  const release = Promise.withResolvers<string>();
  work = () => (seen.length === 1 ? release.promise : Promise.resolve('at once'));
  const first = call();
  await eventually(() => seen.length === 1);
  const leaving = places[0]!;
  const { get, lifecycle, close } = workers[leaving]!;
  lifecycle.stop(60_000);
  await (await get(Nats).ready()).flush();
  for (let calls = 0; calls < 20; calls += 1) expect(await call()).toEqual({ ok: true, result: 'at once' });
  expect(places.slice(1)).toEqual(Array(20).fill(1 - leaving));
  const closed = close();
  release.resolve('done');
  expect(await first).toEqual({ ok: true, result: 'done' });
  await closed;
});

test('cancels no other request', async () => {
  const release = Promise.withResolvers<string>();
  work = (caller) => (seen.length === 1 ? release.promise : untilAborted(caller));
  const first = call();
  await eventually(() => seen.length === 1);
  const abort = new AbortController();
  const second = call({ signal: abort.signal });
  await eventually(() => seen.length === 2);
  abort.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  await eventually(() => seen[1]?.signal.aborted === true);
  expect(seen[0]?.signal.aborted).toBe(false);
  release.resolve('done');
  expect(await first).toEqual({ ok: true, result: 'done' });
});

test('does not start a request that was canceled in the queue', async () => {
  const release = Promise.withResolvers<string>();
  work = () => release.promise;
  const abort = new AbortController();
  // Each of two instances runs 64 at once.
  const running = Array.from({ length: 128 }, () => call({ timeoutMs: 30_000 }));
  await eventually(() => seen.length >= 64);
  const waiting = Array.from({ length: 64 }, () => call({ signal: abort.signal, timeoutMs: 30_000 }));
  await (await gateway.get(Nats).ready()).flush();
  const started = seen.length;
  abort.abort(new Error('gone'));
  await Promise.allSettled(waiting);
  // A round trip to the server, so that the subscribers have received the message.
  for (const { get } of [gateway, ...workers]) await (await get(Nats).ready()).flush();
  release.resolve('done');
  expect(await Promise.all(running)).toHaveLength(128);
  expect(started).toBeGreaterThanOrEqual(64);
  expect(seen.length).toBeLessThan(128 + 64);
});

test('aborts at the deadline', async () => {
  work = untilAborted;
  // The caller's timeout and the handler's reply about the deadline coincide.
  const end = await call({ timeoutMs: 1_000 }).then(
    (reply) => (reply.ok ? reply : reply.error),
    (error: unknown) => error,
  );
  expect(end).toMatchObject({ code: 'temporarily_unavailable' });
  await eventually(() => seen[0]?.signal.aborted === true);
});

test('delivers progress before the reply, in order, and drops values that do not grow', async () => {
  work = ({ progress }) => {
    progress(1, 3, 'one');
    progress(1, 3);
    progress(0.5);
    progress(Number.NaN);
    progress(2, 3);
    return Promise.resolve('done');
  };
  const received: Progress[] = [];
  const reply = await call({ onProgress: (progress) => received.push(progress) });
  expect(reply).toEqual({ ok: true, result: 'done' });
  expect(received).toEqual([
    { progress: 1, total: 3, message: 'one' },
    { progress: 2, total: 3 },
  ]);
});

test.each([MAX_PROGRESS, MAX_PROGRESS + 1])(
  'delivers at most a hundred of %d messages of progress, and the reply',
  async (count) => {
    work = ({ progress }) => {
      for (let done = 1; done <= count; done += 1) progress(done);
      return Promise.resolve('done');
    };
    const received: Progress[] = [];
    expect(await call({ onProgress: (progress) => received.push(progress) })).toEqual({ ok: true, result: 'done' });
    expect(received).toHaveLength(MAX_PROGRESS);
  },
);

test('sends no progress to a caller that did not subscribe', async () => {
  work = ({ progress }) => {
    progress(1);
    return Promise.resolve('done');
  };
  expect(await call()).toEqual({ ok: true, result: 'done' });
});

test('reports missing responders at once, as an error of its own, with and without progress', async () => {
  for (const onProgress of [undefined, () => undefined]) {
    const asked = gateway.get(Requests).call('tools.admin-api.tool.other.1', {}, { site_id: SITE, onProgress });
    await expect(asked).rejects.toBeInstanceOf(NoResponders);
  }
});

test('fails a request to a forbidden subject at once, and no other request', async () => {
  const release = Promise.withResolvers<string>();
  work = () => release.promise;
  const allowed = call();
  const subject = 'requests.auth.replay_dead_letter.v1';
  const forbidden = gateway.get(Requests).call(subject, {}, { site_id: SITE, timeoutMs: 60_000 });
  await expect(forbidden).rejects.toThrow(`Permissions Violation for Publish to "${subject}"`);
  release.resolve('done');
  expect(await allowed).toEqual({ ok: true, result: 'done' });
});
