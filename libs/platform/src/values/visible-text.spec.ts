import { isVisibleLine, replaceInvisible } from './visible-text.js';

it.each([
  ['no character', ''],
  ['several scripts', 'Ada 林 美 Łukasz'],
  ['a Persian word with a non-joiner', 'می\u200cخواهم'],
  ['a Hindi conjunct', 'क्\u200dष'],
  ['an emoji of two parts', '👩\u200d🚀'],
  ['an emoji with a selector', '❤\ufe0f\u200d🔥'],
  ['an emoji with a skin tone', '👩🏽\u200d🚀'],
])('accepts %s', (_what, text) => {
  expect(isVisibleLine(text)).toBe(true);
});

it.each([
  ['a joiner in Latin letters', 'Cla\u200dude', 'Claude'],
  ['a joiner in Chinese characters', '林\u200d美', '林美'],
  ['a joiner at the end', 'می\u200c', 'می'],
  ['two joiners in turn', '👩\u200d\u200d🚀', '👩🚀'],
  ['a character that reverses a line', 'exe\u202efdp', 'exefdp'],
  ['isolates and marks', '\u2067a\u2069\u200eb\u061c', 'ab'],
  ['characters without a width', 'pass\u200bw\u2060o\ufeffr\u00add', 'password'],
  ['control characters', 'a\0b\u001bc\n', 'abc'],
  ['separators of lines', 'a\u2028b\u2029', 'ab'],
])('refuses and removes %s', (_what, text, visible) => {
  expect([isVisibleLine(text), replaceInvisible(text, '')]).toEqual([false, visible]);
});

it('keeps the named characters', () => {
  expect(replaceInvisible('a\nb\u200bc', ' ', '\n')).toBe('a\nb c');
});
