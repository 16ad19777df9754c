import { PASSKEY_LIMITS, passkeyName, relyingPartyId, userHandle } from './passkey.policy.js';

describe('The RP ID of a site', () => {
  it.each([
    ['https://school.example', 'school.example'],
    ['https://www.school.example:8443', 'www.school.example'],
    ['http://localhost:8080', 'localhost'],
    ['http://school.localhost:8080', 'school.localhost'],
    ['https://localhost', 'localhost'],
    ['http://school.example', undefined],
    ['http://notlocalhost', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['https://192.0.2.7', undefined],
    ['https://[2001:db8::1]', undefined],
    ['http://[::1]:8080', undefined],
  ])('derives from %s the RP ID %p', (base_url, id) => {
    expect(relyingPartyId({ base_url })).toBe(id);
  });
});

describe('A user handle', () => {
  it('derives the same user handle each time, and another one per person and site', () => {
    const handles = [userHandle('one', 'ada'), userHandle('one', 'ben'), userHandle('two', 'ada')].map(String);
    expect(new Set(handles).size).toBe(3);
    expect(userHandle('one', 'ada')).toEqual(userHandle('one', 'ada'));
    // Web Authentication Level 3 §5.4.3: 64 bytes at most.
    expect(userHandle('one', 'ada')).toHaveLength(32);
  });
});

describe('The name of a passkey', () => {
  const longest = 'x'.repeat(PASSKEY_LIMITS.nameLength);

  it.each([
    [' My \n  phone ', 'My phone'],
    [longest, longest],
    [`${longest}x`, undefined],
    ['', undefined],
    [' \t ', undefined],
    ['Phone\u202e', undefined],
    ['Pho\u200bne', undefined],
    ['Phone\0', undefined],
  ])('turns %p into the passkey name %p', (text, name) => {
    expect(passkeyName(text)).toBe(name);
  });
});
