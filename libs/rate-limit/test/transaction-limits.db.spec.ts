import type { EntityManager } from 'typeorm';
import type { Limit } from '../src/limit.js';
import { RateLimiter } from '../src/rate-limiter.js';
import { TransactionLimits } from '../src/transaction-limits.js';
import { postgresqlStore } from './stores.js';
import type { PostgresqlStore } from './stores.js';

const LIMIT: Limit = { name: 'test', hits: 20, windowSeconds: 60 };
/** Seconds until the end of a new window: within 5 of 57, because the process may stand still. */
const A_MINUTE = expect.closeTo(57, -1);
const FAULT = new Error('a fault');

let store: PostgresqlStore;
let limits: TransactionLimits;
let subjects = 0;
let subject: string;

beforeAll(async () => {
  store = await postgresqlStore();
  limits = new TransactionLimits(store.windows());
});
beforeEach(() => {
  subject = `subject ${(subjects += 1)}`;
});
afterAll(() => store.close());

const take = (tx: EntityManager) => limits.secondsToWait(tx, LIMIT, subject);
const taken = () => store.transaction(take);
/** Takes units until one is refused, and returns each result. */
async function all(): Promise<(number | undefined)[]> {
  const found = [await taken()];
  while (found.at(-1) === undefined) found.push(await taken());
  return found;
}
const UNITS = Array.from({ length: LIMIT.hits }, () => undefined);

it('takes one unit with each call, and says when the window ends', async () => {
  expect(await all()).toEqual([...UNITS, A_MINUTE]);
});

it('takes nothing in a transaction that is rolled back, neither of a new window nor of a known one', async () => {
  const failed = () =>
    store.transaction(async (tx) => {
      for (let unit = 0; unit < 3; unit += 1) expect(await take(tx)).toBeUndefined();
      throw FAULT;
    });
  await expect(failed()).rejects.toBe(FAULT);
  expect(await taken()).toBeUndefined();
  await expect(failed()).rejects.toBe(FAULT);
  expect(await all()).toEqual([...UNITS.slice(1), A_MINUTE]);
});

it('lets one of two transactions take the last unit', async () => {
  for (let unit = 1; unit < LIMIT.hits; unit += 1) await taken();
  const both = await Promise.all([taken(), taken()]);
  expect(both.filter((wait) => wait === undefined)).toHaveLength(1);
});

it('begins the next window with all units', async () => {
  await all();
  await store.age(LIMIT.windowSeconds);
  expect(await all()).toEqual([...UNITS, A_MINUTE]);
});

it('shares the window with the limiter of requests', async () => {
  await new RateLimiter(store.windows()).take(LIMIT, subject, LIMIT.hits);
  expect(await all()).toEqual([A_MINUTE]);
});
