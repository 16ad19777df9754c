import { bearerToken } from './bearer-token.js';
import { LIMITS } from './configuration.js';

const authorization = (value: string): string[] => ['Host', 'school.example', 'Authorization', value];

describe('bearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer   abc', 'abc'],
    [' Bearer abc ', 'abc'],
    ['Bearer a-b._~+/c==', 'a-b._~+/c=='],
  ])('reads the token from %p', (value, token) => {
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
  ])('reports %p as malformed', (value) => {
    expect(bearerToken(authorization(value)).kind).toBe('malformed');
  });

  it('reports absent without the header, regardless of other headers', () => {
    expect(bearerToken([])).toEqual({ kind: 'absent' });
    expect(bearerToken(['X-Authorization', 'Bearer abc', 'Cookie', 'access_token=abc'])).toEqual({ kind: 'absent' });
  });

  it('accepts any case of the header name', () => {
    expect(bearerToken(['AUTHORIZATION', 'Bearer abc'])).toEqual({ kind: 'token', token: 'abc' });
  });

  it('rejects two headers with a token, even when equal', () => {
    expect(bearerToken(['Authorization', 'Bearer abc', 'authorization', 'Bearer abc']).kind).toBe('malformed');
  });

  it('accepts tokens up to the length limit', () => {
    const longest = 'a'.repeat(LIMITS.tokenLength);
    expect(bearerToken(authorization(`Bearer ${longest}`))).toEqual({ kind: 'token', token: longest });
    expect(bearerToken(authorization(`Bearer ${longest}a`)).kind).toBe('malformed');
  });
});
