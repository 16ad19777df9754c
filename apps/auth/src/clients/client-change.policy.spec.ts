import type { ClientChange, OAuthClient } from './client.js';
import { endsGrants, isUnchanged } from './client-change.policy.js';

const client: OAuthClient = {
  client_key: 'key',
  client_id: 'id',
  site_id: 'site',
  name: 'Name',
  audience: 'operator',
  source: 'site',
  secret_hash: Buffer.from('one'),
  previous_secret_hash: Buffer.from('zero'),
  previous_secret_until: new Date(1),
  redirect_uris: ['http://127.0.0.1/a'],
  post_logout_redirect_uris: [],
  compatibility_mode: false,
  scopes: ['openid', 'courses:read'],
  review: null,
  version: 1,
  created_at: new Date(0),
  last_used_at: null,
};

it.each<[string, Partial<ClientChange>, { changed: boolean; ends: boolean }]>([
  ['nothing', {}, { changed: false, ends: false }],
  ['an equal secret', { secret_hash: Buffer.from('one') }, { changed: false, ends: false }],
  ['the name', { name: 'Another' }, { changed: true, ends: false }],
  [
    'a further redirect URI',
    { redirect_uris: ['http://127.0.0.1/a', 'http://127.0.0.1/b'] },
    { changed: true, ends: false },
  ],
  ['one scope more', { scopes: ['openid', 'courses:read', 'courses:write'] }, { changed: true, ends: false }],
  ['one scope less', { scopes: ['openid'] }, { changed: true, ends: true }],
  ['another secret', { secret_hash: Buffer.from('two') }, { changed: true, ends: true }],
  [
    'another secret beside the old one',
    { secret_hash: Buffer.from('two'), previous_secret_hash: Buffer.from('one') },
    { changed: true, ends: false },
  ],
  [
    'an old secret that ends',
    { previous_secret_hash: null, previous_secret_until: null },
    { changed: true, ends: false },
  ],
  ['no secret any more', { secret_hash: null }, { changed: true, ends: true }],
  [
    'an address after a sign-out',
    { post_logout_redirect_uris: ['http://127.0.0.1/b'] },
    { changed: true, ends: false },
  ],
  ['the compatibility switch', { compatibility_mode: true }, { changed: true, ends: false }],
  ['its review', { review: 'blocked' }, { changed: true, ends: false }],
])('decides whether a change of %s ends the grants of a client', (_what, change, { changed, ends }) => {
  const after = { ...client, ...change };
  expect([!isUnchanged(client, after), endsGrants(client, after)]).toEqual([changed, ends]);
});
