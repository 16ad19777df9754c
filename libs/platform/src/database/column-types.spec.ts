import pg from 'pg';
import { columnTypes } from './column-types.js';

const { TIMESTAMPTZ, INT8 } = pg.types.builtins;
const parse = (oid: number, text: string): unknown =>
  (columnTypes.getTypeParser(oid, 'text') as (text: string) => unknown)(text);

it.each([
  '2026-11-20 08:00:00+00',
  '2026-11-20 08:00:00.1+00',
  '2026-11-20 08:00:00.123+00',
  '2026-11-20 08:00:00.123456+00',
  '2026-11-20 08:00:00.999999-03',
  '1969-12-31 23:59:59.999+00',
  '0044-03-15 12:00:00+00',
  '0044-03-15 12:00:00+00 BC',
  '12026-11-20 08:00:00+00',
  '1890-01-01 00:00:00+00:19:32',
  '2026-11-20 13:30:00+05:30',
  'infinity',
  '-infinity',
])('parses the instant %s as pg does', (text) => {
  const expected: unknown = (pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown)(text);
  expect(parse(TIMESTAMPTZ, text)).toEqual(expected);
});

it('parses a bigint to an exact number, or throws', () => {
  expect(parse(INT8, '9007199254740991')).toBe(9_007_199_254_740_991);
  expect(() => parse(INT8, '9007199254740992')).toThrow(RangeError);
});
