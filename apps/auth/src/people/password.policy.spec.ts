import { isCommonPassword } from './common-passwords.js';
import { PASSWORD_LIMITS, passwordError } from './password.policy.js';

const OWNER = { email: 'ada.lovelace@school.example', siteName: 'The Analytical School' };

describe('A new password', () => {
  it.each([
    'ada.lovelace@school.example',
    'ADALOVELACE',
    'Ada Lovelace 1815!',
    'the-analytical-school',
    'TheAnalyticalSchool99',
  ])('refuses the password %s, which contains personal words', (password) => {
    expect(passwordError(password, OWNER)).toContain('must not be your email address or the name of the site');
  });

  it.each(['ada lovelace and 1 engine', '1815adalovelace', 'analytical engine', '1234567890'])(
    'accepts the password %s',
    (password) => {
      expect(passwordError(password, OWNER)).toBeUndefined();
    },
  );

  it('skips the comparison with the site name when that has no letters', () => {
    expect(passwordError('!!!!!!!!!!', { ...OWNER, siteName: '***' })).toBeUndefined();
  });

  it('enforces the shortest and longest length of a password', () => {
    const { min, max } = PASSWORD_LIMITS;
    const errors = [min - 1, min, max, max + 1].map((length) => passwordError('é'.repeat(length), OWNER) === undefined);
    expect(errors).toEqual([false, true, true, false]);
  });
});

describe('The list of common passwords', () => {
  it.each(['1234567890', 'qwertyuiop', 'QWERTYUIOP', 'password123'])('contains %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each(['correct-horse-battery', 'another-long-password', '12345'])('does not contain %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  });
});
