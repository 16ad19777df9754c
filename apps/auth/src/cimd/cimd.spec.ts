import { MEMBER_SCOPES, SCOPE_NAMES } from '@lyceum/contracts';
import { Flights } from './flights.js';
import { freshSeconds } from './freshness.policy.js';
import { scopesOfReview } from './review.policy.js';

describe('The freshness of a document', () => {
  it.each([
    [undefined, 3600],
    ['', 3600],
    ['public', 3600],
    ['max-age=299', 300],
    ['max-age=300', 300],
    ['max-age=301', 301],
    ['Public, Max-Age=86399', 86_399],
    ['max-age=86401', 86_400],
    ['max-age=999999999', 86_400],
    ['max-age=-1', 3600],
    ['s-maxage=600', 600],
    ['no-store', 300],
    ['max-age=7200, no-cache', 300],
  ])('with Cache-Control %p is %i seconds', (header, seconds) => {
    expect(freshSeconds(header)).toBe(seconds);
  });
});

describe('The scopes of a client by document', () => {
  it('read as long as nobody has looked at it, and never touch accounts', () => {
    for (const review of ['unreviewed', 'approved', 'blocked'] as const) {
      for (const scope of MEMBER_SCOPES) expect(scopesOfReview(review)).not.toContain(scope);
    }
    const writing = SCOPE_NAMES.filter((scope) => scope.endsWith(':write'));
    expect(scopesOfReview('unreviewed').filter((scope) => writing.includes(scope))).toEqual([]);
    expect(scopesOfReview('unreviewed')).toEqual(
      expect.arrayContaining(['openid', 'profile', 'email', 'courses:read']),
    );
    expect(scopesOfReview('approved')).toContain('courses:write');
  });
});

describe('Questions to a host', () => {
  const start = () => {
    const state = { now: 0, asked: 0 };
    const flights = new Flights<string>(
      (answer) => answer === 'failed',
      () => state.now,
    );
    const ask = (answer: string) =>
      flights.fly('key', () => {
        state.asked += 1;
        return Promise.resolve(answer);
      });
    return { state, ask, flights };
  };

  it('are asked once while the answer is under way, and anew afterwards', async () => {
    const { state, ask } = start();
    expect(await Promise.all([ask('one'), ask('two'), ask('three')])).toEqual(['one', 'one', 'one']);
    expect(state.asked).toBe(1);
    expect(await ask('four')).toBe('four');
  });

  it('are not asked for a minute after a failure', async () => {
    const { state, ask } = start();
    await ask('failed');
    state.now = 59_999;
    expect([await ask('fine'), state.asked]).toEqual(['failed', 1]);
    state.now = 60_000;
    expect([await ask('fine'), state.asked]).toEqual(['fine', 2]);
  });

  it('are asked anew after a fault', async () => {
    const { flights, ask } = start();
    await expect(flights.fly('key', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await ask('fine')).toBe('fine');
  });

  it('are forgotten, the oldest first, when there are too many', async () => {
    const { flights } = start();
    for (let key = 0; key < 1_001; key += 1) await flights.fly(`key ${key}`, () => Promise.resolve('failed'));
    expect(await flights.fly('key 1000', () => Promise.resolve('asked'))).toBe('failed');
    expect(await flights.fly('key 0', () => Promise.resolve('asked'))).toBe('asked');
  });
});
