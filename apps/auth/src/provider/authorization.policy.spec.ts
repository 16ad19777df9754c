import { unknownScope } from './authorization.policy.js';

describe('The scope of an authorization request', () => {
  it.each([
    ['openid account:read', undefined],
    ['openid offline_access', undefined],
    ['', undefined],
    ['openid  courses:read', undefined],
    ['openid courses:delete', 'courses:delete'],
    ['OpenID', 'OpenID'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('finds in %p the unknown scope %p', (scope, unknown) => {
    expect(unknownScope(scope)).toBe(unknown);
  });
});
