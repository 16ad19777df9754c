import { takeQuotas } from '../src/quotas.js';
import type { Quota } from '../src/quotas.js';
import { RateLimiter } from '../src/rate-limiter.js';
import type { Allowance, Limit } from '../src/limit.js';
import type { RateWindows } from '../src/rate-windows.js';
import { natsStore, postgresqlStore } from './stores.js';
import type { PostgresqlStore, Store } from './stores.js';

const REFUSED = expect.objectContaining({ code: 'rate_limited' });
/** Seconds until the end of a new window: within 5 of 57, because the process may stand still. */
const A_MINUTE = expect.closeTo(57, -1);

let leases = 0;
let subjects = 0;

/** The windows of a replica, which count their leases. */
function counted(windows: RateWindows): RateWindows {
  return {
    lease: (request) => {
      leases += 1;
      return windows.lease(request);
    },
  };
}
const limitOf = (hits: number, more: Partial<Limit> = {}): Limit => ({
  name: 'test',
  hits,
  windowSeconds: 60,
  ...more,
});
const someone = () => `subject ${(subjects += 1)}`;
/** Awaits a synchronous refusal, too. */
const take = async (limiter: RateLimiter, limit: Limit, subject: string, cost?: number): Promise<Allowance> =>
  limiter.take(limit, subject, cost);
const remaining = async (...given: Parameters<typeof take>) => (await take(...given)).remaining;

const [monotonic, wall] = [performance.now.bind(performance), Date.now];
let msAhead = 0;
/** Moves the clocks of all replicas forward, by which they find the end of a window. */
function passTime(seconds: number): void {
  msAhead += seconds * 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + msAhead);
  jest.spyOn(Date, 'now').mockImplementation(() => wall() + msAhead);
}

afterEach(() => {
  msAhead = 0;
  jest.restoreAllMocks();
});

async function passed(tries: number, attempt: (index: number) => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: tries }, (_, index) => attempt(index)));
  return results.filter(({ status }) => status === 'fulfilled').length;
}

describe.each([
  ['PostgreSQL', postgresqlStore],
  ['NATS', natsStore],
])('with windows in %s', (_name, open) => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const replica = () => new RateLimiter(counted(store.windows()));
  const age = (seconds: number) => store.age(seconds);

  describe('a limit', () => {
    it.each([1, 3, 20, 200, 600])('grants exactly %i units, and counts them down', async (hits) => {
      const [limiter, subject] = [replica(), someone()];
      const left: number[] = [];
      for (let index = 0; index < hits; index += 1) left.push(await remaining(limiter, limitOf(hits), subject));
      expect(left).toEqual(Array.from({ length: hits }, (_, index) => hits - 1 - index));
      await expect(take(limiter, limitOf(hits), subject)).rejects.toEqual(REFUSED);
      await expect(take(replica(), limitOf(hits), subject)).rejects.toEqual(REFUSED);
    });

    it('grants exactly as many units to concurrent requests', async () => {
      const [limiter, subject] = [replica(), someone()];
      expect(await passed(100, () => take(limiter, limitOf(60), subject))).toBe(60);
    });

    it('covers all replicas that take turns', async () => {
      const [replicas, subject] = [[replica(), replica(), replica()], someone()];
      let count = 0;
      for (let index = 0; index < 600; index += 1) {
        count += await passed(1, () => take(replicas[index % 3]!, limitOf(200), subject));
      }
      expect(count).toBe(200);
    });

    it('covers all concurrent replicas', async () => {
      const [replicas, subject] = [[replica(), replica(), replica()], someone()];
      expect(await passed(300, (index) => take(replicas[index % 3]!, limitOf(100), subject))).toBe(100);
    });

    it('counts each subject and each limit separately', async () => {
      const [limiter, subject] = [replica(), someone()];
      expect(await remaining(limiter, limitOf(1), subject)).toBe(0);
      expect(await remaining(limiter, limitOf(1), someone())).toBe(0);
      expect(await remaining(limiter, limitOf(1, { name: 'another' }), subject)).toBe(0);
      await expect(take(limiter, limitOf(1), subject)).rejects.toEqual(REFUSED);
    });

    it('names the unit and the time to wait', async () => {
      const [limiter, subject] = [replica(), someone()];
      const limit = limitOf(5, { unit: 'points' });
      await take(limiter, limit, subject, 5);
      await age(40);
      await expect(take(replica(), limit, subject)).rejects.toMatchObject({
        message: expect.stringMatching(/^At most 5 points are allowed in 60 seconds\. Try again in (1\d|20) seconds$/),
      });
      expect(await take(limiter, limitOf(5), someone())).toEqual({ remaining: 4, resetSeconds: A_MINUTE });
    });
  });

  describe('giveBack', () => {
    it('returns a unit that was taken, and never more than the limit', async () => {
      const [limiter, subject, limit] = [replica(), someone(), limitOf(3)];
      limiter.giveBack(limit, subject);
      for (let index = 0; index < 10; index += 1) {
        await take(limiter, limit, subject);
        limiter.giveBack(limit, subject);
      }
      limiter.giveBack(limit, subject);
      expect(await passed(10, () => take(limiter, limit, subject))).toBe(3);
      limiter.giveBack(limit, subject);
      expect(await passed(2, () => take(limiter, limit, subject))).toBe(1);
    });

    it('returns the units of a request, and never more than the limit', async () => {
      const [limiter, subject, limit] = [replica(), someone(), limitOf(10)];
      await take(limiter, limit, subject, 7);
      limiter.giveBack(limit, subject, 7);
      limiter.giveBack(limit, subject, 7);
      expect(await passed(20, () => take(limiter, limit, subject))).toBe(10);
    });

    it('returns the units of a narrow quota when a wider one is exhausted', async () => {
      const [limiter, subject] = [replica(), someone()];
      const [narrow, wide] = [limitOf(20), limitOf(10, { name: 'wide' })];
      const headers: Record<string, string> = {};
      const reply = { header: (name: string, value: string) => (headers[name] = value) };
      const both = [narrow, wide].map((limit) => ({ limit, subject, cost: 5 })) as [Quota, Quota];
      for (const left of [15, 10]) {
        await takeQuotas(limiter, both, reply);
        expect(headers['ratelimit']).toMatch(new RegExp(`^"test";r=${left};`));
      }
      await expect((async () => takeQuotas(limiter, both, reply))()).rejects.toEqual(REFUSED);
      expect(headers['ratelimit']).toMatch(/^"wide";r=0;/);
      expect(await remaining(limiter, narrow, subject)).toBe(9);
    });
  });

  describe('secondsToWait', () => {
    it('takes a unit, and returns the seconds of the window when none is left', async () => {
      const [limiter, subject] = [replica(), someone()];
      expect(await limiter.secondsToWait(limitOf(1), subject)).toBeUndefined();
      expect(await limiter.secondsToWait(limitOf(1), subject)).toEqual(A_MINUTE);
    });
  });

  describe('refuseExhausted', () => {
    it('refuses after the last unit and takes none', async () => {
      const [limiter, subject, limit] = [replica(), someone(), limitOf(3)];
      for (let index = 0; index < 3; index += 1) {
        expect(() => limiter.refuseExhausted(limit, subject)).not.toThrow();
        await take(limiter, limit, subject);
      }
      expect(() => limiter.refuseExhausted(limit, subject)).toThrow('At most 3 requests are allowed in 60 seconds');
      expect(() => limiter.refuseExhausted(limit, someone())).not.toThrow();
    });

    it('refuses at another replica after the first unit that it asks for', async () => {
      const [limiter, other, subject, limit] = [replica(), replica(), someone(), limitOf(1)];
      await take(limiter, limit, subject);
      expect(() => other.refuseExhausted(limit, subject)).not.toThrow();
      expect(await other.secondsToWait(limit, subject)).toEqual(A_MINUTE);
      expect(() => other.refuseExhausted(limit, subject)).toThrow('At most 1 requests');
    });

    it('refuses no longer than the window', async () => {
      const [limiter, subject, limit] = [replica(), someone(), limitOf(1)];
      await take(limiter, limit, subject);
      passTime(50);
      expect(() => limiter.refuseExhausted(limit, subject)).toThrow(REFUSED);
      passTime(11);
      expect(() => limiter.refuseExhausted(limit, subject)).not.toThrow();
    });
  });

  describe('a window', () => {
    it('ends after its duration', async () => {
      const subject = someone();
      await take(replica(), limitOf(10), subject, 10);
      await age(50);
      await expect(take(replica(), limitOf(10), subject)).rejects.toEqual(REFUSED);
      await age(11);
      expect(await remaining(replica(), limitOf(10), subject)).toBe(9);
    });

    it('ends in the replica that used it up, too', async () => {
      const [limiter, subject, limit] = [replica(), someone(), limitOf(2)];
      await take(limiter, limit, subject, 2);
      await age(50);
      passTime(50);
      await expect(take(limiter, limit, subject)).rejects.toEqual(REFUSED);
      await age(11);
      passTime(11);
      expect(await remaining(limiter, limit, subject)).toBe(1);
    });

    it('pays for the excess of the last operation in earlier windows', async () => {
      const subject = someone();
      await take(replica(), limitOf(600), subject, 599);
      expect(await remaining(replica(), limitOf(600), subject, 1_000)).toBe(0);
      await age(61);
      await expect(take(replica(), limitOf(600), subject)).rejects.toEqual(REFUSED);
      await age(60);
      expect(await remaining(replica(), limitOf(600), subject)).toBe(600 - 399 - 1);
    });
  });

  describe('the store', () => {
    it('receives few requests, and none after the limit is reached', async () => {
      const [limiter, subject, limit] = [replica(), someone(), limitOf(600)];
      leases = 0;
      for (let index = 0; index < 600; index += 1) await take(limiter, limit, subject);
      expect(leases).toBeLessThanOrEqual(60);
      const before = leases;
      expect(await passed(100, () => take(limiter, limit, subject))).toBe(0);
      expect(leases).toBe(before);
    });

    it('leases once for concurrent requests', async () => {
      const [limiter, subject] = [replica(), someone()];
      leases = 0;
      expect(await passed(20, () => take(limiter, limitOf(600), subject))).toBe(20);
      expect(leases).toBe(1);
    });

    it('does not lease unshared units, which count in the first lease', async () => {
      const [limiter, subject, limit] = [replica(), someone(), limitOf(60, { unshared: 6 })];
      leases = 0;
      for (let index = 0; index < 6; index += 1) {
        expect(limiter.take(limit, subject)).toEqual({ remaining: 59 - index, resetSeconds: A_MINUTE });
      }
      expect(leases).toBe(0);
      expect(await passed(100, () => take(limiter, limit, subject))).toBe(54);
      await expect(take(limiter, limit, subject)).rejects.toEqual(REFUSED);
      // Another replica has only its own unshared units.
      const other = replica();
      expect(await passed(100, () => take(other, limit, subject))).toBe(6);
    });

    it('leases again after a failed lease', async () => {
      const [windows, subject] = [store.windows(), someone()];
      const lease = windows.lease.bind(windows);
      windows.lease = () => Promise.reject(new Error('no store'));
      const limiter = new RateLimiter(windows);
      await expect(take(limiter, limitOf(200), subject)).rejects.toThrow('no store');
      windows.lease = lease;
      expect(await remaining(limiter, limitOf(200), subject)).toBe(199);
    });
  });
});

describe('PostgreSQL', () => {
  let store: PostgresqlStore;
  beforeAll(async () => {
    store = await postgresqlStore();
  });
  afterAll(() => store.close());

  it('deletes old windows, and keeps the others', async () => {
    const windows = store.windows();
    for (const hours of [2, 0]) {
      await take(new RateLimiter(windows), limitOf(1), someone());
      await take(new RateLimiter(windows), limitOf(1), someone());
      await store.age(hours * 3_600);
    }
    expect(await store.count()).toBe(4);
    while (await windows.sweep());
    expect(await store.count()).toBe(2);
  });
});
