import { randomBytes } from 'node:crypto';
import { startIdentity } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { SignInsModule } from './sign-ins.module.js';
import { SLOW_DOWN } from './slow-down.policy.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';

describe('Sign-in attempts', () => {
  let identity: TestIdentity;
  let attempts: SignInAttemptsRepository;

  beforeAll(async () => {
    identity = await startIdentity(SignInsModule);
    attempts = identity.context.get(SignInAttemptsRepository);
  });
  afterAll(() => identity.stop());

  const pass = (seconds: number, key: Buffer) =>
    identity.sql(
      `UPDATE sign_in_attempts SET last_at = last_at - make_interval(secs => $1),
              blocked_until = blocked_until - make_interval(secs => $1) WHERE attempt_key = $2`,
      [seconds, key],
    );

  it('doubles the delay from the fifth failure on, up to 15 minutes', async () => {
    const key = randomBytes(32);
    for (let attempt = 1; attempt < SLOW_DOWN.freeAttempts; attempt += 1) {
      expect(await attempts.begin(key, SLOW_DOWN)).toBe(true);
    }
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      expect(await attempts.begin(key, SLOW_DOWN)).toBe(true);
      expect(await attempts.begin(key, SLOW_DOWN)).toBe(false);
      const wait = (await attempts.secondsToWait([key])) ?? NaN;
      waits.push(wait);
      await pass(wait, key);
    }
    // The clock of the database goes on between two statements.
    const late = [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900].map((delay, at) => (waits[at] ?? NaN) - delay);
    expect(late.filter((seconds) => seconds !== 0 && seconds !== 1)).toEqual([]);
  });

  it('returns the longest delay of several keys, and none for keys without one', async () => {
    const [first, second, free] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    await attempts.begin(free, SLOW_DOWN);
    for (const [key, delay] of [
      [first, 5],
      [second, 60],
    ] as const) {
      await attempts.begin(key, { ...SLOW_DOWN, freeAttempts: 1, firstWaitSeconds: delay });
      await attempts.begin(key, { ...SLOW_DOWN, freeAttempts: 1, firstWaitSeconds: delay });
    }
    expect(await attempts.secondsToWait([first, second, free])).toBeGreaterThan(50);
    expect(await attempts.secondsToWait([free, randomBytes(32)])).toBeUndefined();
  });

  it('records no delay before the fifth failure, which could delay an attempt that was counted later', async () => {
    const key = randomBytes(32);
    const blocked: unknown[] = [];
    for (let attempt = 0; attempt < SLOW_DOWN.freeAttempts; attempt += 1) {
      await attempts.begin(key, SLOW_DOWN);
      const sql = 'SELECT isfinite(blocked_until) AS blocked FROM sign_in_attempts WHERE attempt_key = $1';
      blocked.push(...(await identity.sql(sql, [key])));
    }
    expect(blocked).toEqual([...Array<object>(SLOW_DOWN.freeAttempts - 1).fill({ blocked: false }), { blocked: true }]);
  });

  it('resets failures after a quiet hour, and at once after a success', async () => {
    const key = randomBytes(32);
    for (let attempt = 0; attempt < SLOW_DOWN.freeAttempts; attempt += 1) await attempts.begin(key, SLOW_DOWN);
    await pass(SLOW_DOWN.forgottenAfterSeconds + 1, key);
    expect(await attempts.begin(key, SLOW_DOWN)).toBe(true);
    expect(await attempts.begin(key, SLOW_DOWN)).toBe(true);
    await attempts.forget(key);
    for (let attempt = 1; attempt < SLOW_DOWN.freeAttempts; attempt += 1) {
      expect(await attempts.begin(key, SLOW_DOWN)).toBe(true);
    }
  });
});
