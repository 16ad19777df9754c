import { clientOfPage, isClientPage, isPageUri } from './page-client.policy.js';

const site = { base_url: 'https://school.example' };
const redirectUri = 'https://school.example/member/explorer';
const client = {
  client_id: 'one',
  audience: 'member',
  secret_hash: null,
  redirect_uris: [redirectUri],
  scopes: ['openid', 'account:read', 'account:write'],
} as const;

describe('The application of a page', () => {
  it('finds the newest public one with the redirect URI', () => {
    expect(clientOfPage([client, { ...client, client_id: 'older' }], 'explorer', site)).toEqual({
      client_id: 'one',
      scope: 'account:read',
    });
  });

  it('requests all scopes of an application that reads nothing', () => {
    expect(clientOfPage([{ ...client, scopes: ['storage:write'] }], 'explorer', site)?.scope).toBe('storage:write');
  });

  it.each([
    ['of another audience', { ...client, audience: 'operator' as const }],
    ['with a secret', { ...client, secret_hash: Buffer.from('x') }],
    ['with another redirect URI', { ...client, redirect_uris: [`${redirectUri}/x`] }],
  ])('skips one %s', (_case, other) => {
    expect(clientOfPage([other], 'explorer', site)).toBeUndefined();
  });

  it.each([
    [redirectUri, true],
    ['https://school.example/docs', true],
    ['https://school.example/docs/guides', false],
    ['https://other.example/docs', false],
  ])('says whether %s is the redirect URI of a page', (uri, expected) => {
    expect(isPageUri(uri, site)).toBe(expected);
  });

  it('knows its pages', () => {
    expect(['reference', 'explorer', 'constructor', '', undefined].map(isClientPage)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
