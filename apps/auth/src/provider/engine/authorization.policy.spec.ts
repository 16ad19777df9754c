import { selectsAccount, unknownScope, withoutSelectAccount } from './authorization.policy.js';

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

describe('The choice of an account', () => {
  it.each([
    ['prompt=select_account', true, '', 'prompt=login'],
    ['prompt=consent+select_account', true, 'prompt=consent', 'prompt=consent+login'],
    ['prompt=login+select_account', true, 'prompt=login', 'prompt=login'],
    ['prompt=none+select_account', true, 'prompt=none', 'prompt=none+login'],
    ['prompt=login', false, 'prompt=login', 'prompt=login'],
    ['prompt=select_account&prompt=login', false, 'prompt=select_account&prompt=login', undefined],
    ['', false, '', ''],
  ])('recognizes it in "%s": %p', (query, selects, without, instead) => {
    const params = new URLSearchParams(query);
    expect(selectsAccount(params)).toBe(selects);
    expect(withoutSelectAccount(params).toString()).toBe(without);
    expect(withoutSelectAccount(params, 'login').toString()).toBe(instead ?? without);
  });
});
