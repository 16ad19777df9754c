import { CursorScope } from './cursor.js';

const master = Buffer.alloc(32, 1);
const here = { site_id: '0190a0b0-0000-7000-8000-000000000001', person_id: '0190a0b0-0000-7000-8000-000000000002' };
const there = { ...here, site_id: '0190a0b0-0000-7000-8000-000000000003' };
const other = { ...here, person_id: '0190a0b0-0000-7000-8000-000000000004' };

/** Written by PostgreSQL with the expression of `cursorSql`, for `here`, list `courses`. */
const CURSOR = 'AAABnLc9MpMBkKCwERFyIoMzRERERERE--3N0xS-5S-ymm6W0e30yA';
const KEYS = { time: '2026-03-04T05:06:07.123Z', id: '0190a0b0-1111-7222-8333-444444444444' };

const scope = (principal = here, list = 'courses', key = master) => new CursorScope([key], principal, list);
const refused = expect.objectContaining({ code: 'invalid_cursor' });
const reading =
  (cursor: string, of = scope()) =>
  () =>
    of.read(cursor);

describe('a cursor', () => {
  it('reads a cursor in its own scope', () => {
    expect(scope().read(CURSOR)).toEqual(KEYS);
  });

  it.each([
    ['of another person', scope(other)],
    ['of another site', scope(there)],
    ['of another list', scope(here, 'notifications')],
    ['of another key', scope(here, 'courses', Buffer.alloc(32, 2))],
  ])('rejects a cursor in the list %s', (_where, foreign) => {
    expect(reading(CURSOR, foreign)).toThrow(refused);
  });

  it('rejects a cursor with any character changed', () => {
    const changed = Array.from({ length: CURSOR.length - 1 }, (_, at) => {
      const replacement = CURSOR[at] === 'A' ? 'B' : 'A';
      return `${CURSOR.slice(0, at)}${replacement}${CURSOR.slice(at + 1)}`;
    });
    expect(changed).toHaveLength(53);
    for (const cursor of changed) expect(reading(cursor)).toThrow(refused);
  });

  it.each([
    '',
    'x',
    CURSOR.slice(1),
    `${CURSOR}A`,
    `${CURSOR.slice(0, -1)}=`,
    `${CURSOR}\n`,
    '💥'.repeat(27),
    '0'.repeat(54),
  ])('rejects %j as a cursor', (cursor) => {
    expect(reading(cursor)).toThrow(refused);
  });
});
