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

/** Types that `pg` does not name: `text[]`, `uuid[]`. */
const [TEXT_ARRAY, UUID_ARRAY] = [1009, 2951];

it.each([
  [TEXT_ARRAY, '{}', []],
  [TEXT_ARRAY, '{one}', ['one']],
  [TEXT_ARRAY, '{one,two,three}', ['one', 'two', 'three']],
  [TEXT_ARRAY, '{""}', ['']],
  [TEXT_ARRAY, '{one,"two words","a,b"}', ['one', 'two words', 'a,b']],
  [TEXT_ARRAY, String.raw`{"say \"hi\"","back\\slash","{}"}`, ['say "hi"', String.raw`back\slash`, '{}']],
  [TEXT_ARRAY, '{one,NULL,"NULL",ANNULLED}', ['one', null, 'NULL', 'ANNULLED']],
  [
    TEXT_ARRAY,
    '{{a,b},{c,d}}',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [TEXT_ARRAY, '[0:1]={a,b}', ['a', 'b']],
  [UUID_ARRAY, '{01a227f1-1af9-7621-9632-c8fd846051cf}', ['01a227f1-1af9-7621-9632-c8fd846051cf']],
])('parses the array %i %s', (oid, text, expected) => {
  expect(parse(oid, text)).toEqual(expected);
});

it('parses a bigint to an exact number, or throws', () => {
  expect(parse(INT8, '9007199254740991')).toBe(9_007_199_254_740_991);
  expect(() => parse(INT8, '9007199254740992')).toThrow(RangeError);
});
