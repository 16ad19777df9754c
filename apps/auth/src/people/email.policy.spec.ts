import { canonicalEmail } from './email.policy.js';

describe('An e-mail address', () => {
  it('is the same person in every case', () => {
    expect(canonicalEmail('  Ada@School.EXAMPLE ')).toBe('ada@school.example');
  });

  it.each(['ada@school.example', 'a+b@x.example', "o'neil@x.example", 'ü@x.example'])('may be %s', (text) => {
    expect(canonicalEmail(text)).toBe(text);
  });

  it.each([
    '',
    'ada',
    '@school.example',
    'ada@',
    'a b@x.example',
    'a@x..example',
    'a@b@c',
    'a\r\n@x.example',
    `${'a'.repeat(250)}@x.example`,
  ])('is not %p', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });
});
