import type { Principal, Revocation } from '@lyceum/contracts';
import type { Revocations } from './revocations.js';
import { TokenEnds } from './token-ends.js';

const SITE = '0190a0b0-0000-7000-8000-000000000001';
const OTHER = '0190a0b0-0000-7000-8000-000000000002';
const PERSON = '0190a0b0-0000-7000-8000-000000000003';
const HOUR_MS = 3_600_000;

let revoke: (revocation: Pick<Revocation, 'kind' | 'subject' | 'site_id'>) => void;
let ends: TokenEnds;

beforeEach(() => {
  jest.useFakeTimers();
  const revocations: Pick<Revocations, 'onRevocation'> = {
    onRevocation: (fn) => {
      revoke = (revocation) => fn({ id: PERSON, occurred_at: new Date().toISOString(), ...revocation });
    },
  };
  ends = new TokenEnds(revocations as Revocations);
});
afterEach(() => jest.useRealTimers());

const principal = (): Principal => ({
  person_id: PERSON,
  member_id: PERSON,
  grant_id: 'grant',
  client_id: 'client',
  site_id: SITE,
  audience: 'member',
  scopes: ['account:read'],
  roles: ['student'],
  token_fingerprint: '0123456789abcdef',
  expires_at: Math.floor(Date.now() / 1000) + HOUR_MS / 1000,
});

describe('the end of a token', () => {
  it.each([
    ['its grant', { kind: 'grant', subject: 'grant', site_id: SITE }, 1],
    ['another grant', { kind: 'grant', subject: 'other', site_id: SITE }, 0],
    ['its person everywhere', { kind: 'person', subject: PERSON, site_id: null }, 1],
    ['its person at another site', { kind: 'person', subject: PERSON, site_id: OTHER }, 0],
    ['its client', { kind: 'client', subject: 'client', site_id: SITE }, 1],
    ['its site', { kind: 'site', subject: SITE, site_id: SITE }, 1],
    ['another site', { kind: 'site', subject: OTHER, site_id: OTHER }, 0],
  ] as const)('follows a revocation of %s', (_name, revocation, calls) => {
    const ended = jest.fn();
    ends.wait(principal(), ended);
    revoke(revocation);
    revoke(revocation);
    expect([ended.mock.calls.length, ends.size]).toEqual([calls, 1 - calls]);
  });

  it('comes when the token expires', () => {
    const ended = jest.fn();
    ends.wait(principal(), ended);
    jest.advanceTimersByTime(HOUR_MS - 2_000);
    expect(ended).not.toHaveBeenCalled();
    jest.advanceTimersByTime(2_000);
    expect([ended.mock.calls.length, ends.size]).toEqual([1, 0]);
  });

  it('calls nothing after the wait has been stopped', () => {
    const ended = jest.fn();
    ends.wait(principal(), ended)();
    revoke({ kind: 'grant', subject: 'grant', site_id: SITE });
    jest.advanceTimersByTime(HOUR_MS);
    expect([ended.mock.calls.length, ends.size]).toEqual([0, 0]);
  });
});
