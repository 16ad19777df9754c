import { RateLimiter } from '@lyceum/rate-limit';
import { LIMITS } from '#src/limits/limits.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const SOURCE = '127.0.0.1';
const ATTEMPTS = 5;

describe('A flood of sign-ins', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  const count = async (what: string): Promise<number> => {
    const [row] = await auth.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${what}`);
    return row?.n ?? 0;
  };
  const written = (): Promise<number> => count(`audit_log WHERE event = 'sign_in.slowed_down'`);
  const attempts = async (name: (index: number) => string): Promise<number[]> => {
    const flow = new Flow(auth);
    const page = await flow.browser.open(flow.authorizationUrl());
    const statuses: number[] = [];
    for (let index = 0; index < ATTEMPTS; index += 1) {
      statuses.push((await flow.signIn(page, name(index), 'not-the-password')).status);
    }
    return statuses;
  };

  it('samples the audit entries of a flood against one account', async () => {
    await attempts(() => 'student');
    expect(await written()).toBe(0);
    expect(await attempts(() => 'student')).toEqual(Array(ATTEMPTS).fill(429));
    // A minute may end in between.
    expect([1, 2]).toContain(await written());
  });

  it('writes no row per account for a blocked source', async () => {
    await auth.sql('DELETE FROM sign_in_attempts');
    await auth.resetLimits();
    const limit = LIMITS.failed_sign_ins_of_strangers;
    await auth.app.get(RateLimiter).take(limit, `${auth.site.site_id}\n${SOURCE}`, limit.hits);
    const before = await written();
    expect(await attempts((index) => `unknown-${index}`)).toEqual(Array(ATTEMPTS).fill(429));
    expect(await count('sign_in_attempts')).toBe(0);
    expect((await written()) - before).toBeLessThanOrEqual(2);
  });
});
