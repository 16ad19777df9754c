import { csvText } from './csv-text.js';

const lineOf = (value: unknown): string => csvText(['a'], [{ a: value }], false);

it.each<[what: string, value: unknown, cell: string]>([
  ['a plain text', 'plain', 'plain'],
  ['a comma', 'one, two', '"one, two"'],
  ['a quote', 'the "best"', '"the ""best"""'],
  ['LF alone', 'one\ntwo', '"one\ntwo"'],
  ['CR alone', 'one\rtwo', '"one\rtwo"'],
  ['CR and LF', 'one\r\ntwo', '"one\r\ntwo"'],
  ['a formula', '=1+1', `'=1+1`],
  ['a formula of two lines', '=1\n+1', `"'=1\n+1"`],
  ['a formula after LF', '\n=1+1', `"'\n=1+1"`],
  ['a formula after CR', '\r=1+1', `"'\r=1+1"`],
  ['a boolean', true, 'true'],
  ['null', null, ''],
  ['a list', ['x', 'y'], '"[""x"",""y""]"'],
])('writes %s as one cell', (_what, value, cell) => {
  expect(lineOf(value)).toBe(`${cell}\r\n`);
});

it('writes the names of the columns first, if asked', () => {
  expect(csvText(['a', 'b'], [{ b: 1, a: 2 }], true)).toBe('a,b\r\n2,1\r\n');
});
