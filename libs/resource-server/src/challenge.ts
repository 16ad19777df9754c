import type { Site } from '@lyceum/contracts';

export interface Challenge {
  /** RFC 6750 §3.1: omitted for a request without credentials. */
  readonly error?: 'invalid_token' | 'insufficient_scope';
  readonly description?: string;
  /** Space-separated: all scopes that would have been sufficient. */
  readonly scope?: string;
  readonly metadataPath: string;
}

/** RFC 9728 §3.1: the path of the resource follows the well-known path. */
export function metadataUrl(site: Pick<Site, 'base_url'>, metadataPath: string): string {
  return `${site.base_url}/.well-known/oauth-protected-resource${metadataPath}`;
}

/** Quoted-string of RFC 9110 §5.6.4, limited to what RFC 6750 §3 allows inside `error_description`. */
function quoted(value: string): string {
  return `"${value.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, "'")}"`;
}

/** The value of WWW-Authenticate: RFC 6750 §3 with the `resource_metadata` parameter of RFC 9728 §5.1. */
export function bearerChallenge(site: Pick<Site, 'base_url'>, challenge: Challenge): string {
  const { error, description, scope, metadataPath } = challenge;
  const parameters = [
    ...(error === undefined ? [] : [`error=${quoted(error)}`]),
    ...(description === undefined ? [] : [`error_description=${quoted(description)}`]),
    ...(scope === undefined || scope === '' ? [] : [`scope=${quoted(scope)}`]),
    `resource_metadata=${quoted(metadataUrl(site, metadataPath))}`,
  ];
  return `Bearer ${parameters.join(', ')}`;
}
