import { IDENTITY_SCOPES, OPERATOR_SCOPES } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import type { Review } from '#src/clients/client.js';
import { scopesOfAudience } from '#src/scopes/grantable.policy.js';

/**
 * The scopes that a client by document may request. Before its review it may only read. It never gets account scopes,
 * which are not scopes of an operator client.
 */
export function scopesOfReview(review: Review): readonly Scope[] {
  if (review === 'approved') return scopesOfAudience('operator');
  return [...IDENTITY_SCOPES, ...OPERATOR_SCOPES.filter((scope) => scope.endsWith(':read'))];
}
