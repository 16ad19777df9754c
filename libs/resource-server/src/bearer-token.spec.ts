import { bearerToken } from './bearer-token.js';
import { LIMITS } from './configuration.js';

const authorization = (value: string): string[] => ['Host', 'school.example', 'Authorization', value];

describe('the bearer token of a request', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer   abc', 'abc'],
    [' Bearer abc ', 'abc'],
    ['Bearer a-b._~+/c==', 'a-b._~+/c=='],
  ])('is read from %p', (value, token) => {
    expect(bearerToken(authorization(value))).toEqual({ kind: 'token', token });
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer\tabc',
    'Bearerabc',
    'Bearer a b',
    'Bearer a,b',
    'Bearer =abc',
    'Bearer a=b',
    'Bearer "abc"',
    'Bearer abc, Bearer def',
    'Bearer ünïcode',
    'Basic YWxhZGRpbjpvcGVu',
    'DPoP abc',
    'abc',
  ])('is malformed in %p', (value) => {
    expect(bearerToken(authorization(value)).kind).toBe('malformed');
  });

  it('is absent without the header, whatever the others say', () => {
    expect(bearerToken([])).toEqual({ kind: 'absent' });
    expect(bearerToken(['X-Authorization', 'Bearer abc', 'Cookie', 'access_token=abc'])).toEqual({ kind: 'absent' });
  });

  it('is found whatever the case of the header', () => {
    expect(bearerToken(['AUTHORIZATION', 'Bearer abc'])).toEqual({ kind: 'token', token: 'abc' });
  });

  it('is malformed when two headers carry one, also equal ones', () => {
    expect(bearerToken(['Authorization', 'Bearer abc', 'authorization', 'Bearer abc']).kind).toBe('malformed');
  });

  it('may have as many characters as the limit says, and no more', () => {
    const longest = 'a'.repeat(LIMITS.tokenLength);
    expect(bearerToken(authorization(`Bearer ${longest}`))).toEqual({ kind: 'token', token: longest });
    expect(bearerToken(authorization(`Bearer ${longest}a`)).kind).toBe('malformed');
  });
});
