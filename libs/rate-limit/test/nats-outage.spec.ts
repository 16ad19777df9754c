import { eventually } from '@lyceum/testing';
import { Logger } from '@nestjs/common';
import { RateLimiter } from '../src/rate-limiter.js';
import type { Limit } from '../src/limit.js';
import { natsStore } from './stores.js';
import type { NatsStore } from './stores.js';

const HITS = 40;
const LIMIT: Limit = { name: 'test', hits: HITS, windowSeconds: 600 };

let store: NatsStore;
let logged: string[];
beforeEach(async () => {
  store = await natsStore();
  logged = [];
  const keep = (line: unknown) =>
    void logged.push(typeof line === 'string' ? line : String((line as { msg: string }).msg));
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(keep);
  jest.spyOn(Logger.prototype, 'log').mockImplementation(keep);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await store.close();
});

const replica = () => new RateLimiter(store.windows());

/** How many of `count` units the limiter grants. */
async function granted(limiter: RateLimiter, subject: string, count: number): Promise<number> {
  let units = 0;
  for (let index = 0; index < count; index += 1) {
    if ((await limiter.secondsToWait(LIMIT, subject)) === undefined) units += 1;
  }
  return units;
}

it('limits each replica alone while NATS is down, and says so once', async () => {
  const replicas = [replica(), replica()];
  await store.kill();
  for (const limiter of replicas) expect(await granted(limiter, 'new', HITS + 5)).toBe(HITS);
  const warnings = logged.filter((line) => line.includes('the rate limits apply to this replica alone'));
  expect(warnings).toHaveLength(replicas.length);
});

it('goes on with the count of a window that began before the outage', async () => {
  const limiter = replica();
  expect(await granted(limiter, 'known', 30)).toBe(30);
  await store.kill();
  expect(await granted(limiter, 'known', HITS)).toBe(HITS - 30);
});

it('shares the limits again after the outage, with the counts of the replica that returns first', async () => {
  const [first, second] = [replica(), replica()];
  expect(await granted(first, 'known', 30)).toBe(30);
  await store.kill();
  expect(await granted(first, 'other', 1)).toBe(1);
  await store.server.restart();
  await store.server.bootstrap();
  let turn = 0;
  await eventually(async () => {
    await first.take(LIMIT, `turn ${(turn += 1)}`);
    return logged.includes('the rate limits are shared by all replicas again');
  });
  // The restart lost the window; the next lease of its replica stores it again.
  const more = await granted(first, 'known', 5);
  expect(more).toBe(5);
  const rest = await granted(second, 'known', HITS);
  expect(rest).toBeLessThanOrEqual(HITS - 35);
});

it('limits the replica alone when the stream does not exist', async () => {
  await store.close();
  store = await natsStore({ bare: true });
  expect(await granted(replica(), 'new', HITS + 1)).toBe(HITS);
  expect(logged).toContainEqual(expect.stringContaining('NATS is unavailable'));
});
