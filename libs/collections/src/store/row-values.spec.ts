import { editOf } from './row-values.js';
import { SiteRow } from './site-row.js';

class Book extends SiteRow {}
const book = (more: object = {}): Book => Object.assign(new Book(), { id: 'book', version: 7, ...more });
const NOW = expect.any(Date);

it.each([
  ['raises the revision of an edited row', { revision: 3 }, false, { revision: 4, updated_at: NOW }],
  ['keeps the revision and the time of a row whose change is no edit', { revision: 3 }, true, {}],
  ['sets the time alone of an edited row whose tag is its version', {}, false, { updated_at: NOW }],
])('%s', (_what, columns, keepsTag, expected) => {
  expect(editOf(book(columns), keepsTag)).toEqual(expected);
});

it('refuses to keep the entity tag of a row whose tag is its version', () => {
  expect(() => editOf(book(), true)).toThrow('a row needs a column `revision`');
});
