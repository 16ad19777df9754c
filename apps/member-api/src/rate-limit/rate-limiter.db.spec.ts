import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '@lyceum/contracts';
import { testDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import type { Sql, Statement } from '@lyceum/platform';
import pg from 'pg';
import { RateLimitRepository } from './rate-limit.repository.js';
import { RateLimit, RateLimiter } from './rate-limiter.js';

const LIMIT = 600;
const refused = expect.objectContaining({ code: 'rate_limited' });

let database: TestDatabase;
let pool: pg.Pool;
let asked = 0;
let tokens = 0;

beforeAll(async () => {
  database = await testDatabase('learner');
  pool = new pg.Pool({ connectionString: database.url, max: 5 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** `Sql` without the platform around it. */
const sql = {
  query: async (statement: Statement, values: readonly unknown[]) => {
    asked += 1;
    const { rows } = await pool.query({ ...statement, values: [...values] });
    return rows;
  },
} as unknown as Sql;
const replica = () => new RateLimiter(new RateLimitRepository(sql), new RateLimit(LIMIT));
const someToken = () => ({ token_fingerprint: (tokens++).toString(16).padStart(16, '0') }) as Principal;
const windowOf = async ({ token_fingerprint }: Principal) => {
  const { rows } = await pool.query<{ spent: number }>('SELECT spent FROM rate_window WHERE token_fingerprint = $1', [
    token_fingerprint,
  ]);
  return rows[0]?.spent;
};
/** As if so many seconds had gone by. */
const age = ({ token_fingerprint }: Principal, seconds: number) =>
  pool.query(
    `UPDATE rate_window SET started_at = started_at - make_interval(secs => $2) WHERE token_fingerprint = $1`,
    [token_fingerprint, seconds],
  );
const spend = async (limiter: RateLimiter, token: Principal, cost: number) => limiter.spend(token, cost);

describe('the points of a token', () => {
  it('are all given, and not one more', async () => {
    const [limiter, token] = [replica(), someToken()];
    const left: number[] = [];
    for (let n = 0; n < 60; n += 1) left.push(await spend(limiter, token, 10));
    expect(left).toEqual(Array.from({ length: 60 }, (_, n) => 590 - 10 * n));
    await expect(spend(limiter, token, 1)).rejects.toEqual(refused);
    expect(await windowOf(token)).toBe(600);
  });

  it('are all given, and not one more, when they are asked for at once', async () => {
    const [limiter, token] = [replica(), someToken()];
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => spend(limiter, token, 10)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
  });

  it('are shared by replicas that take turns', async () => {
    const [one, two, token] = [replica(), replica(), someToken()];
    for (let n = 0; n < 6; n += 1) {
      await spend(n % 2 === 0 ? one : two, token, 100);
      await sleep(150);
    }
    for (const limiter of [one, two]) await expect(spend(limiter, token, 1)).rejects.toEqual(refused);
    await expect(spend(replica(), token, 1)).rejects.toEqual(refused);
  });

  it('are those of one token', async () => {
    const limiter = replica();
    const [one, two] = [someToken(), someToken()];
    await spend(limiter, one, 600);
    await expect(spend(limiter, one, 1)).rejects.toEqual(refused);
    await expect(spend(limiter, two, 1)).resolves.toBe(599);
  });

  it('come back with the next minute', async () => {
    const token = someToken();
    await spend(replica(), token, 600);
    await age(token, 61);
    await expect(spend(replica(), token, 1)).resolves.toBe(599);
  });

  it('that went beyond the limit are taken from the minutes that follow', async () => {
    const token = someToken();
    await spend(replica(), token, 599);
    await expect(spend(replica(), token, 1000)).resolves.toBe(0);
    await age(token, 61);
    await expect(spend(replica(), token, 1)).rejects.toEqual(refused);
    await age(token, 60);
    await expect(spend(replica(), token, 1)).resolves.toBe(LIMIT - 399 - 1);
  });
});

describe('the limiter', () => {
  it('asks PostgreSQL at the first contact, then not until half is spent', async () => {
    const [limiter, token] = [replica(), someToken()];
    await spend(limiter, token, 1);
    const before = asked;
    for (let n = 0; n < 29; n += 1) expect(limiter.spend(token, 10)).toEqual(expect.any(Number));
    expect(asked).toBe(before);
    const exact = limiter.spend(token, 10);
    expect(exact).toBeInstanceOf(Promise);
    await exact;
    await limiter.onApplicationShutdown();
  });

  it('reports what it gave by itself in one statement for all tokens', async () => {
    const [limiter, one, two] = [replica(), someToken(), someToken()];
    await Promise.all([spend(limiter, one, 1), spend(limiter, two, 1)]);
    const before = asked;
    for (let n = 0; n < 10; n += 1) [one, two].forEach((token) => limiter.spend(token, 5));
    await sleep(250);
    expect(asked).toBe(before + 1);
    expect([await windowOf(one), await windowOf(two)]).toEqual([51, 51]);
  });

  it('reports the rest when the service stops', async () => {
    const [limiter, token] = [replica(), someToken()];
    await spend(limiter, token, 1);
    await spend(limiter, token, 41);
    await limiter.onApplicationShutdown();
    expect(await windowOf(token)).toBe(42);
  });

  it('says how long to wait', async () => {
    const [limiter, token] = [replica(), someToken()];
    await spend(limiter, token, 600);
    await age(token, 40);
    const error = (await spend(replica(), token, 1).catch((thrown: unknown) => thrown)) as { retryAfter: number };
    expect(error.retryAfter).toBeGreaterThan(15);
    expect(error.retryAfter).toBeLessThanOrEqual(20);
  });
});
