import { cleanFilename } from './filename.js';

it.each([
  ['Grades 2026 (final).pdf', 'Grades 2026 (final).pdf'],
  ['课程表.xlsx', '课程表.xlsx'],
  ['cafe\u0301.pdf', 'caf\u00e9.pdf'],
  ['.env', '.env'],
  ['console.log', 'console.log'],
  [`${'é'.repeat(127)}a`, `${'é'.repeat(127)}a`],
])('accepts %j', (name, filename) => expect(cleanFilename(name)).toEqual({ filename }));

it.each([
  ['', 'empty'],
  ['a\nb.pdf', 'Control'],
  ['a\u0000.pdf', 'Control'],
  ['a\u2028b', 'Control'],
  ['a\ud800b', 'Control'],
  ['invoice\u202efdp.exe', 'direction'],
  ['a\u200b.pdf', 'Invisible'],
  ['../etc/passwd', 'path'],
  ['a\\b.pdf', 'path'],
  ['c:a.pdf', 'path'],
  ['..', 'dot'],
  ['.', 'dot'],
  ['a.pdf ', 'space'],
  [' a.pdf', 'space'],
  ['a.pdf.', 'dot'],
  ['NUL', 'reserved'],
  ['com1.txt', 'reserved'],
  [`${'é'.repeat(128)}`, '255 bytes'],
])('refuses %j', (name, why) => expect(cleanFilename(name)).toEqual({ refusal: expect.stringContaining(why) }));
