import { on } from '../../test/grants.js';
import { extendedEnd, requireOneEnd } from './extension.policy.js';

const NOW = { now: on(10), time_zone: 'UTC' };

it.each([
  ['active', on(12), { days: 3 }, on(15)],
  ['expired', on(5), { days: 3 }, on(13)],
  ['active', null, { days: 3 }, null],
  ['active', on(12), { expires_at: on(20) }, on(20)],
  ['pending', on(12), { expires_at: on(20) }, on(20)],
  ['active', on(12), { expires_at: on(12) }, on(12)],
  ['active', on(12), { expires_at: null }, null],
  ['active', null, { expires_at: null }, null],
  ['expired', on(5), { expires_at: on(11) }, on(11)],
  ['revoked', on(20), { expires_at: on(11) }, on(11)],
  ['revoked', on(5), { expires_at: null }, null],
] as const)('extends %s access until %s by %j: until %s', (state, expires_at, extension, end) => {
  expect(extendedEnd(extension, { state, started_at: on(1), expires_at }, NOW)).toEqual(end);
});

it.each([
  ['active', on(12), on(11)],
  ['pending', on(12), on(11)],
  ['active', null, on(99)],
] as const)('refuses to shorten %s access until %s to %s', (state, expires_at, end) => {
  expect(() => extendedEnd({ expires_at: end }, { state, started_at: on(1), expires_at }, NOW)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      errors: [expect.objectContaining({ pointer: '/expires_at', code: 'too_small' })],
    }),
  );
});

it.each([[{ days: 1 }], [{ expires_at: null }], [{ expires_at: on(11) }]])('accepts %j alone', (extension) => {
  expect(() => requireOneEnd(extension)).not.toThrow();
});

it.each([[{}], [{ days: 1, expires_at: null }], [{ days: 1, expires_at: on(11) }]])('refuses %j', (extension) => {
  expect(() => requireOneEnd(extension)).toThrow(
    expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ pointer: '/days' })] }),
  );
});
