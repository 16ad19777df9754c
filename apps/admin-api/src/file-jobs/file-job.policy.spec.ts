import { retrySeconds } from '@lyceum/jobs';
import { FILE_JOB_LIMITS, FILE_JOB_QUEUE, forbidden, linkPeriod, requireRoom } from './file-job.policy.js';

it('accepts jobs of a site up to their limit', () => {
  expect(() => requireRoom(FILE_JOB_LIMITS.perSite - 1, 'exports')).not.toThrow();
  expect(() => requireRoom(FILE_JOB_LIMITS.perSite, 'exports')).toThrow(
    expect.objectContaining({ code: 'invalid_state' }),
  );
});

it.each([
  [0, false],
  [FILE_JOB_LIMITS.rolesDelayMs - 1, false],
  [FILE_JOB_LIMITS.rolesDelayMs, true],
])('fails without a role %i ms after the request, for good: %p', (ms, final) => {
  const requested = new Date('2026-12-01T10:00:00Z');
  expect(forbidden(requested, requested.getTime() + ms)).toMatchObject({ reason: 'forbidden', final });
});

it('waits for roles until its last attempt', () => {
  const pauses = Array.from(
    { length: FILE_JOB_LIMITS.attempts - 1 },
    (_pause, made) => retrySeconds(made + 1, FILE_JOB_QUEUE) ?? 0,
  );
  expect(pauses.reduce((sum, pause) => sum + pause, 0) * 1_000).toBeGreaterThan(FILE_JOB_LIMITS.rolesDelayMs);
});

it('makes links that work for 15 to 30 minutes', () => {
  for (const now of [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + FILE_JOB_LIMITS.linkMs - 1]) {
    const { from, until } = linkPeriod(now);
    expect(from.getTime()).toBe(Date.UTC(2026, 0, 1));
    expect(until.getTime() - now).toBeGreaterThan(FILE_JOB_LIMITS.linkMs);
  }
  expect(linkPeriod(FILE_JOB_LIMITS.linkMs).number).toBe(linkPeriod(0).number + 1);
});
