import { single } from '#src/edge/body.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import type { SiteRecord } from '#src/sites/site.js';
import { requestedResource } from './resource.policy.js';

/** RFC 6749 §4.1.3 with the verifier of RFC 7636 §4.5. */
export interface CodeRequest {
  readonly grant_type: 'authorization_code';
  readonly code: string;
  readonly redirect_uri: string;
  readonly code_verifier: string | undefined;
  /** True when the request names the resource (RFC 8707 §2.2). */
  readonly names_resource: boolean;
}

/** RFC 6749 §6. */
export interface RefreshRequest {
  readonly grant_type: 'refresh_token';
  readonly refresh_token: string;
  /** The requested narrower scopes; undefined keeps the granted ones. */
  readonly scope: readonly string[] | undefined;
}

export type TokenRequest = CodeRequest | RefreshRequest;

/** RFC 6749 §3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/;

/** @throws OAuthError `invalid_target` for a resource that is not this site's */
export function namesResource(site: Pick<SiteRecord, 'base_url' | 'settings'>, form: URLSearchParams): boolean {
  const resource = requestedResource(site, form.getAll('resource'));
  if (resource === 'foreign') throw new OAuthError(400, 'invalid_target', `The resource must be ${site.base_url}`);
  return resource === 'site';
}

/** @throws OAuthError for an invalid request */
export function readTokenRequest(form: URLSearchParams, names_resource: boolean): TokenRequest {
  const grant_type = required(form, 'grant_type');
  if (grant_type === 'authorization_code') {
    return {
      grant_type,
      code: required(form, 'code'),
      redirect_uri: required(form, 'redirect_uri'),
      code_verifier: single(form, 'code_verifier'),
      names_resource,
    };
  }
  if (grant_type === 'refresh_token') {
    const scope = single(form, 'scope');
    if (scope !== undefined && !SCOPE.test(scope)) {
      throw new OAuthError(400, 'invalid_scope', 'scope contains invalid characters');
    }
    return { grant_type, refresh_token: required(form, 'refresh_token'), scope: scope?.split(' ') };
  }
  throw new OAuthError(400, 'unsupported_grant_type', 'Supported grant types: authorization_code, refresh_token');
}

function required(form: URLSearchParams, name: string): string {
  const value = single(form, name);
  if (value === undefined) throw new OAuthError(400, 'invalid_request', `${name} is required`);
  return value;
}
