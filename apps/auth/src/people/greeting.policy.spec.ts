import { greeting, mailLine } from './greeting.policy.js';

describe('The greeting of a mail', () => {
  it.each(['Ada', 'Zoë Walker', "Seán O'Neil", '山田 太郎', 'J. R. R. Tolkien', 'Dr. Ada Lovelace, 3rd'])(
    'names %s',
    (name) => {
      expect(greeting(name)).toBe(`Hello ${name},`);
    },
  );

  it.each([
    ['a line break', 'Bob\r\nBcc: x', 'Hello Bob Bcc: x,'],
    ['a line separator', 'Bob\u2028Your account', 'Hello Bob Your account,'],
    ['a right-to-left override', 'Bob\u202Eexe', 'Hello Bob exe,'],
    ['a zero-width space', 'B\u200Bob', 'Hello B ob,'],
    ['a tab and spaces', ' Bob \t Bee ', 'Hello Bob Bee,'],
    ['a C1 control', 'Bob\u0085Bee', 'Hello Bob Bee,'],
  ])('shows a name with %s on one line', (_what, name, expected) => {
    expect(greeting(name)).toBe(expected);
  });

  it.each([
    ['http://evil.example'],
    ['Bob, see https://evil.example/x'],
    ['your account is locked: evil.example'],
    ['www.evil.example'],
    ['ev\u200Bil.example'],
    ['\u0000'],
    [''],
    ['n'.repeat(101)],
  ])('leaves out the name %j', (name) => {
    expect(greeting(name)).toBe('Hello,');
  });

  it('names a name of 100 characters', () => {
    expect(greeting('n'.repeat(100))).toBe(`Hello ${'n'.repeat(100)},`);
  });
});

it('makes one line of text from elsewhere', () => {
  expect(mailLine('My\u2029key\n')).toBe('My key');
});
