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
  ])('keeps a document with Cache-Control %p fresh for %i seconds', (header, seconds) => {
    expect(freshSeconds(header)).toBe(seconds);
  });
});

describe('The scopes of a client by document', () => {
  it('limits a client by document to reading before its review, and never grants account scopes', () => {
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
