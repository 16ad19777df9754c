import { addressWith, queryChoice, queryCursor, queryText } from './list-query.js';

it.each([
  ['a text', { q: ' ann ' }, 'ann'],
  ['nothing of a missing one', {}, ''],
  ['nothing of a list', { q: ['a', 'b'] }, ''],
  ['nothing of a text with a NUL', { q: 'a\0' }, ''],
  ['a text of 512 characters', { q: 'x'.repeat(512) }, 'x'.repeat(512)],
  ['nothing of a text of 513 characters', { q: 'x'.repeat(513) }, ''],
])('reads %s', (_what, query, expected) => {
  expect(queryText(query, 'q')).toBe(expected);
});

it('reads only known values and ids', () => {
  expect(queryChoice({ state: 'active' }, 'state', ['active', 'invited'])).toBe('active');
  expect(queryChoice({ state: 'loved' }, 'state', ['active', 'invited'])).toBeUndefined();
  const id = '0190f6e0-0000-7000-8000-00000000000A';
  expect(queryCursor({ after: id }, 'after')).toBe(id.toLowerCase());
  expect(queryCursor({ after: `${id}'` }, 'after')).toBeNull();
});

it('writes an address without empty values', () => {
  expect(addressWith('/admin', { q: '', state: undefined })).toBe('/admin');
  expect(addressWith('/admin', { q: 'a&b', state: 'x' })).toBe('/admin?q=a%26b&state=x');
});
