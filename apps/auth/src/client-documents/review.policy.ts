import { IDENTITY_SCOPES, OPERATOR_SCOPES } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import type { Review } from '#src/clients/client.js';
import { scopesOfAudience } from '#src/scopes/grantable.policy.js';

/**
 * What a client by document may ask for. Until the site has reviewed it, it may only read; the
 * account scopes it can never have (they are not an operator client's).
 */
export function scopesOfReview(review: Review): readonly Scope[] {
  if (review === 'approved') return scopesOfAudience('operator');
  return [...IDENTITY_SCOPES, ...OPERATOR_SCOPES.filter((scope) => scope.endsWith(':read'))];
}
