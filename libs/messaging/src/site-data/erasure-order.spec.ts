import { erasureOrder } from './erasure-order.js';

const key = (child: string, parent: string, cascades = false) => ({ child, parent, cascades });
const order = (names: string, ...references: ReturnType<typeof key>[]): string =>
  erasureOrder(
    names.split('').map((name) => ({ name })),
    references,
  )
    .map(({ name }) => name)
    .join('');

it.each([
  ['keeps the order of independent tables', order('ab'), 'ab'],
  ['deletes a table before those that it references', order('abc', key('b', 'a'), key('c', 'b')), 'cba'],
  ['deletes a cascading child first, so that a batch stays small', order('ab', key('b', 'a', true)), 'ba'],
  ['follows a plain key against a cascading one', order('ab', key('a', 'b'), key('b', 'a', true)), 'ab'],
  ['ignores the key of a table to itself', order('ab', key('a', 'a')), 'ab'],
  ['ignores keys of other tables', order('a', key('x', 'a')), 'a'],
])('%s', (_name, given, expected) => {
  expect(given).toBe(expected);
});

it('refuses plain keys in a circle', () => {
  expect(() => order('abc', key('a', 'b'), key('b', 'a'))).toThrow('No order deletes the rows of a, b');
});
