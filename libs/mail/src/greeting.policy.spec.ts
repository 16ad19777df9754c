import { greetedName, mailLine } from './greeting.policy.js';

it.each([
  'Mei',
  '林美',
  '山田 太郎',
  'J. R. R. Tolkien',
  'St. John',
  "Seán O'Neil",
  'O’Connor, Jr.',
  'नेहा',
  'Dr. Ada Lovelace, 3rd',
  'n'.repeat(100),
])('greets %s by name', (name) => {
  expect(greetedName(name)).toBe(name);
});

it.each([
  '',
  'n'.repeat(101),
  'Bob\r\nYour account is locked',
  'Bob\tx',
  'Bob\u0085x',
  'Bob\u2028x',
  'Bob\u202ex',
  'ev\u200bil',
  'http://evil.example',
  'Bob evil.example/login',
  'your account is locked: evil.example',
  'www.evil.example',
  'bob@evil.example',
])('omits %j', (name) => {
  expect(greetedName(name)).toBeUndefined();
});

it('converts user content to one line', () => {
  expect(mailLine(' My\u2029key\t of \n')).toBe('My key of');
});
