import { comparableOrigin, originsOf } from './origin.policy.js';

describe('comparableOrigin', () => {
  it.each([
    ['https://app.example/callback?x=1', 'https://app.example'],
    ['https://app.example:8443/callback', 'https://app.example:8443'],
    ['https://APP.example:443', 'https://app.example'],
    ['http://127.0.0.1:7777/callback', 'http://127.0.0.1'],
    ['http://localhost:3000', 'http://localhost'],
    ['http://[::1]:3000/', 'http://[::1]'],
    ['http://localhost.evil.example:3000', 'http://localhost.evil.example:3000'],
    ['com.example.app:/callback', undefined],
    ['null', undefined],
    ['', undefined],
  ])('returns for %j the origin %j', (url, origin) => {
    expect(comparableOrigin(url)).toBe(origin);
  });
});

describe('originsOf', () => {
  it('returns each origin once', () => {
    const uris = ['https://a.example/1', 'https://a.example/2', 'https://b.example/', 'com.example.app:/callback'];
    expect(originsOf(uris)).toEqual(['https://a.example', 'https://b.example']);
  });
});
