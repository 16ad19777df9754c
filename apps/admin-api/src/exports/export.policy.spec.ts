import { FILE_JOB_LIMITS, JobFailure } from '#src/file-jobs/file-job.policy.js';
import { EXPORT_LIMITS, requireCancelable, requireFit, requireReader, rowsAfter, seesWhole } from './export.policy.js';

const REQUESTED = new Date('2026-12-01T10:00:00Z');
const JOB = { created_at: REQUESTED, forAdministrators: false };

it.each([
  [['owner'], true],
  [['admin', 'lecturer'], true],
  [['lecturer'], false],
  [['teaching_assistant', 'student'], false],
] as const)('shows a creator with the roles %j the whole collection: %p', (roles, whole) => {
  expect(seesWhole(roles, JOB, REQUESTED.getTime())).toBe(whole);
});

it.each([
  [[], 0, false],
  [['student'], FILE_JOB_LIMITS.rolesDelayMs - 1, false],
  [['student'], FILE_JOB_LIMITS.rolesDelayMs, true],
  [[], 2 * FILE_JOB_LIMITS.rolesDelayMs, true],
] as const)('fails for a creator with the roles %j %p ms after the request, for good: %p', (roles, ms, final) => {
  const failure = expect.objectContaining({ name: 'JobFailure', reason: 'forbidden', final });
  expect(() => seesWhole(roles, JOB, REQUESTED.getTime() + ms)).toThrow(failure);
});

it('shows a collection for owners and admins to no teacher', () => {
  const job = { ...JOB, forAdministrators: true };
  expect(seesWhole(['admin', 'lecturer'], job, REQUESTED.getTime())).toBe(true);
  expect(() => seesWhole(['lecturer'], job, REQUESTED.getTime())).toThrow('forbidden');
});

it.each([
  [[300], 2_000],
  [[1_000, 3_000], 2_000],
  [[1_000, 3_001], 200],
  [[20_000], 200],
  [[20_001], 50],
  [[1_000_000], 50],
])('reads after lines of %j characters %p rows', (lengths, rows) => {
  expect(rowsAfter(lengths.map((length) => 'x'.repeat(length)))).toBe(rows);
});

it('reads 200 rows after those that JavaScript wrote', () => {
  expect(rowsAfter(undefined)).toBe(200);
});

it.each([
  ['students', [], ['lecturer'], undefined],
  ['orders', ['orders:read'], ['admin'], undefined],
  ['orders', undefined, undefined, undefined],
  ['orders', ['students:read'], ['owner'], 'insufficient_scope'],
  ['orders', ['orders:read'], ['lecturer'], 'forbidden'],
  ['form_submissions', ['forms:read'], ['admin'], undefined],
  ['form_submissions', ['orders:read'], ['owner'], 'insufficient_scope'],
  ['form_submissions', ['forms:read'], ['lecturer'], 'forbidden'],
  ['members', ['members:read'], ['admin'], undefined],
  ['members', ['students:read'], ['owner'], 'insufficient_scope'],
  ['members', ['members:read'], ['lecturer'], 'forbidden'],
  ['activity', ['school:read'], ['owner'], undefined],
  ['activity', ['members:read'], ['owner'], 'insufficient_scope'],
  ['analytics_revenue', ['analytics:read'], ['admin'], undefined],
  ['analytics_cohorts', ['orders:read'], ['owner'], 'insufficient_scope'],
  ['analytics_funnel', ['analytics:read'], ['lecturer'], 'forbidden'],
] as const)('lets a caller export %s with the scopes %j and the roles %j, or refuses with %p', (...row) => {
  const [collection, scopes, roles, code] = row;
  const caller = { ...(scopes && { scopes: [...scopes] }), ...(roles && { roles: [...roles] }) };
  const start = (): void => requireReader(collection, caller);
  if (code === undefined) expect(start).not.toThrow();
  else expect(start).toThrow(expect.objectContaining({ code }));
});

it('accepts a file up to its limit', () => {
  const { bytesOfFile } = EXPORT_LIMITS;
  expect(() => requireFit(bytesOfFile - 1, 1)).not.toThrow();
  expect(() => requireFit(bytesOfFile, 1)).toThrow(new JobFailure('too_large'));
});

it.each([
  ['queued', true],
  ['running', true],
  ['canceled', true],
  ['ready', false],
  ['failed', false],
] as const)('cancels an export that is %s: %p', (state, cancels) => {
  const cancel = (): void => requireCancelable(state);
  if (cancels) expect(cancel).not.toThrow();
  else expect(cancel).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});
