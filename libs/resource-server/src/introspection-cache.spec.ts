import type { Principal } from '@lyceum/contracts';
import { IntrospectionCache } from './introspection-cache.js';
import type { TokenState } from './token-introspection.js';

const SITE = '0190a0b0-0000-7000-8000-000000000001';
const OTHER_SITE = '0190a0b0-0000-7000-8000-000000000002';
const PERSON = '0190a0b0-0000-7000-8000-000000000003';
const WALL = 1_800_000_000_000;

function active(change: Partial<Principal> = {}): TokenState {
  const principal: Principal = {
    person_id: PERSON,
    member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
    site_id: SITE,
    client_id: 'client',
    audience: 'member',
    scopes: ['account:read'],
    roles: ['student'],
    grant_id: 'grant',
    token_fingerprint: '0123456789abcdef',
    expires_at: WALL / 1000 + 3600,
    ...change,
  };
  return { kind: 'active', principal, origins: ['https://school.example'] };
}

describe('IntrospectionCache', () => {
  let now = 0;
  let cache: IntrospectionCache;

  beforeEach(() => {
    now = 0;
    cache = new IntrospectionCache(() => now);
  });

  it('keeps active results for four and a half seconds', () => {
    cache.put('a', active(), WALL);
    now = 4_499;
    expect(cache.get('a')?.kind).toBe('active');
    now = 4_500;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('counts the age of active results from the start of the introspection', () => {
    now = 800;
    cache.put('a', active(), WALL, 800);
    now = 4_499;
    expect(cache.get('a')?.kind).toBe('active');
    now = 4_500;
    expect(cache.get('a')).toBeUndefined();
  });

  it('keeps no active result longer than the token’s lifetime', () => {
    cache.put('a', active({ expires_at: WALL / 1000 + 2 }), WALL);
    now = 1_999;
    expect(cache.get('a')?.kind).toBe('active');
    now = 2_000;
    expect(cache.get('a')).toBeUndefined();
  });

  it('does not keep a result of an expired token', () => {
    cache.put('a', active({ expires_at: WALL / 1000 }), WALL);
    expect(cache.get('a')).toBeUndefined();
  });

  it('keeps inactive results for one second', () => {
    cache.put('a', { kind: 'inactive' });
    now = 999;
    expect(cache.get('a')?.kind).toBe('inactive');
    now = 1_000;
    expect(cache.get('a')).toBeUndefined();
  });

  it.each([
    ['grant', 'grant'],
    ['person', PERSON],
    ['client', 'client'],
    ['site', SITE],
  ] as const)('drops the results of a revoked %s, and no others', (kind, subject) => {
    cache.put('a', active(), WALL);
    cache.put('b', active({ grant_id: 'g2', person_id: OTHER_SITE, client_id: 'c2', site_id: OTHER_SITE }), WALL);
    cache.revoke({ kind, subject, site_id: null });
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('b')?.kind).toBe('active');
  });

  it('keeps results of other sites when a person is revoked at one site', () => {
    cache.put('here', active(), WALL);
    cache.put('there', active({ site_id: OTHER_SITE }), WALL);
    cache.revoke({ kind: 'person', subject: PERSON, site_id: SITE });
    expect(cache.get('here')).toBeUndefined();
    expect(cache.get('there')?.kind).toBe('active');
  });

  it('keeps results of other subjects, and does not confuse the kinds of subject', () => {
    cache.put('a', active({ client_id: PERSON, person_id: OTHER_SITE }), WALL);
    cache.revoke({ kind: 'person', subject: PERSON, site_id: null });
    expect(cache.get('a')?.kind).toBe('active');
  });

  it('replaces results with their indexes', () => {
    cache.put('a', active({ grant_id: 'old' }), WALL);
    cache.put('a', active({ grant_id: 'new' }), WALL);
    cache.revoke({ kind: 'grant', subject: 'old', site_id: null });
    expect(cache.get('a')?.kind).toBe('active');
    cache.revoke({ kind: 'grant', subject: 'new', site_id: null });
    expect(cache.get('a')).toBeUndefined();
  });

  it('evicts the oldest result, and no active result for unknown tokens', () => {
    cache = new IntrospectionCache(() => now, { activeEntries: 2, inactiveEntries: 2 });
    cache.put('a', active(), WALL);
    cache.put('b', active(), WALL);
    cache.get('a');
    cache.put('c', active(), WALL);
    for (const hash of ['x', 'y', 'z']) cache.put(hash, { kind: 'inactive' });
    expect(['a', 'b', 'c'].map((hash) => cache.get(hash)?.kind)).toEqual([undefined, 'active', 'active']);
    expect(['x', 'y', 'z'].map((hash) => cache.get(hash)?.kind)).toEqual([undefined, 'inactive', 'inactive']);
  });

  it('holds nothing after clearing', () => {
    cache.put('a', active(), WALL);
    cache.put('b', { kind: 'inactive' });
    cache.clear();
    expect(cache.size).toBe(0);
    expect(cache.get('a')).toBeUndefined();
  });
});
