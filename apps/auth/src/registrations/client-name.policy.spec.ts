import { looksLike, namesIn } from './client-name.policy.js';

it.each([
  ['itself', 'Claude'],
  ['capitals', 'CLAUDE'],
  ['Cyrillic letters', 'Cl\u0430ud\u0435'],
  ['a capital I for the l', 'CIaude'],
  ['a digit for the l', 'C1aude'],
  ['full width letters', '\uff23\uff4c\uff41\uff55\uff44\uff45'],
  ['mathematical letters', '\u{1d402}\u{1d425}\u{1d41a}\u{1d42e}\u{1d41d}\u{1d41e}'],
  ['a variation selector', 'Claude\ufe0f'],
  ['an invisible joiner', 'Cl\u034faude'],
  ['a zero-width space', 'Claude\u200b'],
  ['a soft hyphen', 'Cl\u00adaude'],
  ['space around it', ' Claude\u3000'],
  ['a period', 'Claude.'],
  ['spaces between the letters', 'C l a u d e'],
  ['a bar for the l', 'C|aude'],
  ['a symbol and brackets', '[Claude] \u2714'],
])('recognizes Claude written with %s', (_how, name) => {
  expect(looksLike(name, 'Claude')).toBe(true);
});

it.each(['VЅ Соdе', 'vs  code', 'VS\u00a0Code', 'VS C0de', 'VS-Code', 'vscode', 'V.S. Code'])(
  'recognizes %p as VS Code',
  (name) => {
    expect(looksLike(name, 'VS Code')).toBe(true);
  },
);

it.each(['Claude Code', 'My Claude', 'Claude (on your device)', 'Claud', 'Cláude', 'Clauder', ''])(
  'does not recognize %p as Claude',
  (name) => {
    expect(looksLike(name, 'Claude')).toBe(false);
  },
);

it.each([
  ['HarbourSchool', 'Harbour School', true],
  ['Harbour-School!', 'Harbour School', true],
  ['Harbour Schools', 'Harbour School', false],
  ['***', '***', true],
  ['***', '+++', false],
  ['***', 'Claude', false],
  ['\u0915\u093f', '\u0915\u093e', false],
])('compares %p with %p: %p', (one, other, same) => {
  expect(looksLike(one, other)).toBe(same);
});

it.each([
  ['Claude Code', ['Claude']],
  ['Harbour School Admin (by CIaude)', ['Claude', 'Harbour School']],
  ['my-cl\u0430ude-tool', ['Claude']],
  ['Precursor', []],
  ['A reader of courses', []],
])('finds in %p the names %p', (name, expected) => {
  expect(namesIn(name, ['Claude', 'Cursor', 'Harbour School', ''])).toEqual(expected);
});
