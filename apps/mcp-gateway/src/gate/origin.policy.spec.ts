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
    ['https://evil.example:443', LOCAL],
    ['https://localhost.evil.example:8080', LOCAL],
    ['http://localhost:8080.evil.example', LOCAL],
    ['http://localhost:8080@evil.example', LOCAL],
    ['http://evil.example/#http://localhost:8080', LOCAL],
    ['http://evil.example?http://localhost:8080', LOCAL],
    ['http://localhost:8080/', LOCAL],
    ['http://localhost:8080/mcp', LOCAL],
    ['http://localhost:8080, https://evil.example', LOCAL],
    ['https://evil.example http://localhost:8080', LOCAL],
    ['http://notlocalhost:8080', LOCAL],
    ['http://localhost.:8080', LOCAL],
    ['http://127.0.0.1.nip.io:8080', LOCAL],
    ['http://user@localhost:8080', LOCAL],
    ['chrome-extension://abcdefghijklmnop', LOCAL],
    ['data:text/html,x', LOCAL],
    ['localhost', LOCAL],
    ['*', LOCAL],
    ['', LOCAL],
    ['undefined', LOCAL],
  ])('rejects %p at the site %s', (origin, site) => {
    expect(isAllowedOrigin(origin, site)).toBe(false);
  });
});
