import { isAllowedOrigin } from './origin.policy.js';

const SITE = 'https://school.example';
const LOCAL = 'http://localhost:8080';

describe('isAllowedOrigin', () => {
  it.each([
    [undefined, SITE],
    ['https://school.example', SITE],
    ['https://school.example:443', SITE],
    ['http://localhost:8080', LOCAL],
    ['http://localhost:6274', LOCAL],
    ['http://127.0.0.1:6274', LOCAL],
    ['http://[::1]:6274', LOCAL],
  ])('allows %p at the site %s', (origin, site) => {
    expect(isAllowedOrigin(origin, site)).toBe(true);
  });

  it.each([
    ['https://evil.example', SITE],
    ['http://school.example', SITE],
    ['https://school.example:8443', SITE],
    ['https://school.example.evil.example', SITE],
    ['https://sub.school.example', SITE],
    ['https://school.example/', SITE],
    ['https://school.example@evil.example', SITE],
    ['http://localhost:8080', SITE],
    ['null', SITE],
    ['', SITE],
    ['null', LOCAL],
    ['file://', LOCAL],
    ['http://localhost.evil.example', LOCAL],
    ['http://127.0.0.1.evil.example', LOCAL],
    ['http://192.168.0.1', LOCAL],
  ])('rejects %p at the site %s', (origin, site) => {
    expect(isAllowedOrigin(origin, site)).toBe(false);
  });
});
