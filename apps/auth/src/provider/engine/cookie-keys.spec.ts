import { CookieKeys } from './cookie-keys.js';

const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];
const DATA = 'lyceum=abc';
/** Keygrip 1.1 makes these. */
const [BY_A, BY_B] = ['jcCIUGmduKgymcYwR8Uu3Jbo-mQ', '6xVRr80845qjqUFsAYmCDiMZ0ow'];

describe('CookieKeys', () => {
  it('signs as Keygrip does, with the first key', () => {
    expect([new CookieKeys([A, B]).sign(DATA), new CookieKeys([B, A]).sign(DATA)]).toEqual([BY_A, BY_B]);
  });

  it.each([
    ['finds the first key', DATA, BY_A, 0],
    ['finds an older key', DATA, BY_B, 1],
    ['refuses a signature of other data', 'lyceum=abd', BY_A, -1],
    ['refuses a changed signature', DATA, BY_A.replace('j', 'k'), -1],
    ['refuses a cut signature', DATA, BY_A.slice(0, -1), -1],
    ['refuses a longer signature', DATA, `${BY_A}=`, -1],
    ['refuses no signature', DATA, '', -1],
  ])('%s', (_does, data, digest, index) => {
    const keys = new CookieKeys([A, B]);
    expect([keys.index(data, digest), keys.verify(data, digest)]).toEqual([index, index >= 0]);
  });

  it('refuses to sign without a key', () => {
    expect(() => new CookieKeys([])).toThrow('A signed cookie needs a key');
  });
});
