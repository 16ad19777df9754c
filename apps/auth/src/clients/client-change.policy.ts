import type { ClientChange, OAuthClient } from './client.js';

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

function sameSecret(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return one === other;
  return Buffer.compare(one, other) === 0;
}

export function isUnchanged(client: OAuthClient, change: ClientChange): boolean {
  return (
    client.name === change.name &&
    client.review === change.review &&
    sameSecret(client.secret_hash, change.secret_hash) &&
    sameSecret(client.previous_secret_hash, change.previous_secret_hash) &&
    client.compatibility_mode === change.compatibility_mode &&
    same(client.redirect_uris, change.redirect_uris) &&
    same(client.post_logout_redirect_uris, change.post_logout_redirect_uris) &&
    same(client.scopes, change.scopes)
  );
}

/**
 * Grants of a client end when it loses a scope, or when its secret is replaced at once because it is no longer trusted.
 * A rotation keeps the old secret for a time, and the grants with it.
 */
export function endsGrants(client: OAuthClient, change: ClientChange): boolean {
  const lost = client.scopes.some((scope) => !change.scopes.includes(scope));
  const kept = [change.secret_hash, change.previous_secret_hash].some((hash) => sameSecret(client.secret_hash, hash));
  return lost || !kept;
}
