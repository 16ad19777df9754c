import { canonicalEmail } from './email.policy.js';

describe('An email address', () => {
  it('normalizes an email address to lower case', () => {
    expect(canonicalEmail('  Ada@School.EXAMPLE ')).toBe('ada@school.example');
  });

  it.each(['ada@school.example', 'a+b@x.example', "o'neil@x.example", 'ü@x.example', 'ada@not-deleted.invalid'])(
    'accepts the email address %s',
    (text) => {
      expect(canonicalEmail(text)).toBe(text);
    },
  );

  it.each([
    '',
    'ada',
    '@school.example',
    'ada@',
    'a b@x.example',
    'a@x..example',
    'a@b@c',
    'a\r\n@x.example',
    'Ada@Deleted.Invalid',
    `${'a'.repeat(250)}@x.example`,
  ])('rejects %p as an email address', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });
});
