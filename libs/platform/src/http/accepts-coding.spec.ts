import { acceptsCoding } from './accepts-coding.js';

it.each<[string | undefined, boolean]>([
  ['gzip, deflate, br, zstd', true],
  ['GZIP;q=0.5', true],
  ['br,gzip ; q=1', true],
  ['gzip;q=0, br', false],
  ['gzip;q=0.0', false],
  ['gzip;q=x', false],
  ['x-gzip, gzipped', false],
  ['*', false],
  ['', false],
  [undefined, false],
  [`gzip,${'x'.repeat(500)}`, false],
])('decides whether Accept-Encoding: %s accepts gzip: %s', (accepted, expected) => {
  expect(acceptsCoding(accepted, 'gzip')).toBe(expected);
});
