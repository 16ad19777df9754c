import { MEMBER_SCOPES, SCOPE_NAMES } from '@lyceum/contracts';
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
