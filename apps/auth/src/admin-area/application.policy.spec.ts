import { applicationFaults, isIdentityOnly, scopesOfKind } from './application.policy.js';
import type { ApplicationFields, ApplicationKind } from './application.policy.js';

const FIELDS: ApplicationFields = {
  name: 'An app',
  redirect_uris: ['https://app.example/cb'],
  scopes: ['openid', 'account:read'],
  post_logout_redirect_uris: [],
  compatibility_mode: false,
};

const faultsOf = (fields: Partial<ApplicationFields>, kind: ApplicationKind = 'member'): string[] =>
  Object.keys(applicationFaults({ ...FIELDS, ...fields }, kind));

const uris = (count: number): string[] => Array.from({ length: count }, (_, n) => `https://app.example/${n}`);

it.each<[string, Partial<ApplicationFields>, ApplicationKind, string[]]>([
  ['nothing of a right one', {}, 'member', []],
  ['no name', { name: '' }, 'member', ['name']],
  ['nothing of a name of 120 characters', { name: 'x'.repeat(120) }, 'member', []],
  ['a name of 121 characters', { name: 'x'.repeat(121) }, 'member', ['name']],
  ['a name that changes the direction', { name: 'a\u202eb' }, 'member', ['name']],
  ['no redirect URI', { redirect_uris: [] }, 'member', ['redirect_uris']],
  ['nothing of 10 redirect URIs', { redirect_uris: uris(10) }, 'member', []],
  ['11 redirect URIs', { redirect_uris: uris(11) }, 'member', ['redirect_uris']],
  ['a custom scheme', { redirect_uris: ['myapp://cb'] }, 'member', ['redirect_uris']],
  [
    'https of this computer beside http',
    { redirect_uris: ['https://localhost/cb', 'http://localhost/cb'] },
    'member',
    ['redirect_uris'],
  ],
  [
    'nothing of the same addresses after a sign-out',
    { post_logout_redirect_uris: ['https://localhost/cb', 'http://localhost/cb'] },
    'member',
    [],
  ],
  [
    'an address after a sign-out',
    { post_logout_redirect_uris: ['http://a.example/'] },
    'member',
    ['post_logout_redirect_uris'],
  ],
  ['no permission', { scopes: [] }, 'member', ['scope']],
  ['no permission of the account', { scopes: ['openid'] }, 'member', ['scope']],
  ['account:write without account:read', { scopes: ['openid', 'account:write'] }, 'member', ['scope']],
  ['nothing of account:write with account:read', { scopes: ['account:read', 'account:write'] }, 'member', []],
  ['a scope of operators', { scopes: ['account:read', 'courses:read'] }, 'member', ['scope']],
  ['nothing of scopes of operators', { scopes: ['courses:read'] }, 'operator', []],
  ['a scope of members', { scopes: ['account:read'] }, 'operator', ['scope']],
  ['nothing of a sign-in', { scopes: ['openid', 'email'] }, 'identity', []],
  ['a sign-in without openid', { scopes: ['email'] }, 'identity', ['scope']],
  ['a sign-in with more', { scopes: ['openid', 'account:read'] }, 'identity', ['scope']],
  [
    'all fields at once',
    { name: '', redirect_uris: ['x'], scopes: [], post_logout_redirect_uris: ['y'] },
    'member',
    ['name', 'redirect_uris', 'scope', 'post_logout_redirect_uris'],
  ],
])('finds %s', (_what, fields, kind, expected) => {
  expect(faultsOf(fields, kind)).toEqual(expected);
});

it('accepts an address of 1024 characters and refuses a longer one', () => {
  const uri = 'https://app.example/'.padEnd(1024, 'x');
  expect([faultsOf({ redirect_uris: [uri] }), faultsOf({ redirect_uris: [`${uri}x`] })]).toEqual([
    [],
    ['redirect_uris'],
  ]);
});

it('shows invisible characters of a refused address as their code points', () => {
  const { redirect_uris = [] } = applicationFaults({ ...FIELDS, redirect_uris: ['myapp://a\u202eb'] }, 'member');
  expect(redirect_uris.join()).toContain('myapp://a\\u{202e}b');
});

it('offers each kind its own scopes', () => {
  expect(scopesOfKind('identity')).toEqual(['openid', 'profile', 'email']);
  expect(scopesOfKind('member')).toEqual(['openid', 'profile', 'email', 'account:read', 'account:write']);
  expect(scopesOfKind('operator')).toEqual(expect.arrayContaining(['openid', 'courses:write']));
  expect(scopesOfKind('operator')).not.toContain('account:read');
});

it('recognizes an application for sign-in only by its scopes', () => {
  expect(isIdentityOnly({ scopes: ['openid', 'email'] })).toBe(true);
  expect(isIdentityOnly({ scopes: ['openid', 'courses:read'] })).toBe(false);
});
