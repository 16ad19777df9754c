import { isOutage } from './event-applier.js';

const fault = (code: string): Error => Object.assign(new Error('a fault'), { code });

test.each([
  ['a refused connection', fault('ECONNREFUSED'), true],
  ['a shutdown', fault('57P01'), true],
  ['a full disk', fault('53100'), true],
  ['a server that became read-only', fault('25006'), true],
  ['a query without answer', new Error('Query read timeout'), true],
  ['a violated constraint', fault('23505'), false],
  ['a missing column', fault('42703'), false],
  ['a statement that took too long', fault('57014'), false],
  ['a deadlock', fault('40P01'), false],
  ['a fault of the handler', new Error('no'), false],
  ['what is no error', 'no', false],
])('classifies %s', (_what, error, outage) => {
  expect(isOutage(error)).toBe(outage);
});
