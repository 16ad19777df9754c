import { beginningOf } from './beginning-of.js';

it.each([
  ['tide', 4, 'tide'],
  ['tide', 3, 'tid'],
  ['tide😀', 6, 'tide😀'],
  ['tide😀', 5, 'tide'],
  ['😀', 1, ''],
  // Half of a character that was stored so.
  ['\ud83dide😀', 5, '\ufffdide'],
])('keeps whole characters of %j within %i', (text, length, kept) => expect(beginningOf(text, length)).toBe(kept));
