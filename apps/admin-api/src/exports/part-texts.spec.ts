import { EXPORT_LIMITS } from './export.policy.js';
import { PartTexts } from './part-texts.js';
import type { PartText } from './part-texts.js';

const textOf = ({ pieces }: PartText): string => Buffer.concat(pieces).toString();

it('keeps texts in their order, with their bytes', () => {
  const text = new PartTexts().take();
  for (const one of ['a', '林美', '', '🧭\n']) text.add(one);
  expect([textOf(text), text.bytes]).toEqual(['a林美🧭\n', 12]);
});

it.each([
  ['one byte', 'a'],
  ['three bytes', '美'],
  ['four bytes', '🧭'],
])('keeps texts of characters of %s that do not fit into the buffer', (_what, character) => {
  const text = new PartTexts().take();
  const long = character.repeat((0.4 * EXPORT_LIMITS.bytesOfPart) / Buffer.byteLength(character));
  const all = ['first ', long, long, long, long, long, ' last'];
  for (const one of all) text.add(one);
  expect(textOf(text) === all.join('')).toBe(true);
  expect(text.bytes).toBe(Buffer.byteLength(all.join('')));
});

it('fills its buffer to the last byte', () => {
  const text = new PartTexts().take();
  const { length } = text.buffer;
  text.add('a'.repeat(length - 3));
  text.add('美');
  expect([text.pieces.length, text.bytes]).toEqual([1, length]);
  text.add('b');
  expect([text.pieces.length, text.bytes]).toEqual([2, length + 1]);
});

it('gives the buffer of a released text to the next one, which begins empty', () => {
  const texts = new PartTexts();
  const [first, second] = [texts.take(), texts.take()];
  expect(second.buffer).not.toBe(first.buffer);
  first.add('stored');
  texts.giveBack(first);
  const third = texts.take();
  expect(third.buffer).toBe(first.buffer);
  expect([textOf(third), third.bytes]).toEqual(['', 0]);
});

it('keeps two buffers for each place of a site, and no more', () => {
  const texts = new PartTexts();
  const taken = Array.from({ length: 5 }, () => texts.take());
  for (const one of taken) texts.giveBack(one);
  const again = taken.map(() => texts.take());
  expect(again.filter(({ buffer }) => taken.some((one) => one.buffer === buffer))).toHaveLength(4);
});
