import { randomBytes } from 'node:crypto';
import { Cursors } from './cursor.js';
import type { CursorContext, Position } from './cursor.js';

const cursors = new Cursors([randomBytes(32)]);
const context: CursorContext = {
  collection: 'courses',
  site_id: 'a',
  sort: '-created_at',
  filters: { state: 'draft', q: 'x' },
};
const position: Position = ['2026-11-20T08:00:00.000Z', '019ab3c0-0000-7000-8000-000000000000'];
const sealed = cursors.seal(context, position);

const invalid = expect.objectContaining({ code: 'invalid_cursor' });

it('opens to the sealed position for any order of filters, and with absent ones', () => {
  expect(cursors.open(context, sealed)).toEqual(position);
  expect(cursors.open({ ...context, filters: { q: 'x', state: 'draft', email: undefined } }, sealed)).toEqual(position);
});

it.each<[string, Partial<CursorContext>]>([
  ['collection', { collection: 'students' }],
  ['site', { site_id: 'b' }],
  ['sort', { sort: 'created_at' }],
  ['filter value', { filters: { state: 'published', q: 'x' } }],
  ['filter that is gone', { filters: { state: 'draft' } }],
  ['filter that is new', { filters: { state: 'draft', q: 'x', email: 'y' } }],
])('rejects a cursor with another %s', (_what, change) => {
  expect(() => cursors.open({ ...context, ...change }, sealed)).toThrow(invalid);
});

it('rejects a cursor when any of its characters differs', () => {
  for (let index = 0; index < sealed.length; index += 1) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    expect(() => cursors.open(context, sealed.slice(0, index) + other + sealed.slice(index + 1))).toThrow(invalid);
  }
});

it.each(['', 'x', '!!!', `${sealed}=`, ` ${sealed}`, `${sealed}\n`, sealed.slice(0, 21)])('rejects %j', (text) => {
  expect(() => cursors.open(context, text)).toThrow(invalid);
});

it('rejects a cursor under another key', () => {
  expect(() => new Cursors([randomBytes(32)]).open(context, sealed)).toThrow(invalid);
});

it('does not reveal the filters', () => {
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('draft');
});
