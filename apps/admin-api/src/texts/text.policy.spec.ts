import { TEXT_PIECE_LENGTH, TOPOLOGY_LIMITS } from '@lyceum/contracts';
import { piecesOf } from './text.policy.js';

it('keeps a text of the limit in one piece, and begins a second one for a character more', () => {
  const longest = 'a'.repeat(TEXT_PIECE_LENGTH);
  expect(piecesOf(longest)).toEqual([longest]);
  expect(piecesOf(`${longest}b`)).toEqual([longest, 'b']);
  expect(piecesOf('')).toEqual(['']);
});

it.each([
  ['ab😀c', 3, ['ab', '😀c']],
  ['ab😀c', 4, ['ab😀', 'c']],
  ['😀😀', 3, ['😀', '😀']],
  ['ab', 2, ['ab']],
])('divides %s by %i characters, and splits no surrogate pair', (text, length, expected) => {
  expect(piecesOf(text, length)).toEqual(expected);
});

it('leaves room in an event for the widest characters of JSON', () => {
  const bytes = Buffer.byteLength(JSON.stringify('\u0001'.repeat(TEXT_PIECE_LENGTH)));
  expect(bytes).toBeLessThanOrEqual(TOPOLOGY_LIMITS.eventBytes - 8 * 1024);
});
