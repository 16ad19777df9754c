import { ADVERTISED_RESOURCE_SCOPES, SCOPE_NAMES } from '@lyceum/contracts';
import { LANGUAGES } from '@lyceum/messages';
import { permitsDocuments } from '#src/client-documents/client-id-url.policy.js';
import { connectsTools, promptsOf } from '#src/sites/site.js';
import type { SiteRecord } from '#src/sites/site.js';
import { CLAIMS_OF_SCOPE } from '#src/people/claims.policy.js';
import { PLATFORMS } from '#src/platforms/platforms.js';
import {
  CODE_CHALLENGE_METHODS,
  ENABLED_CLIENT_AUTH_METHODS,
  GRANT_TYPES,
  ID_TOKEN_ALGORITHMS,
  RESPONSE_MODES,
  RESPONSE_TYPES,
} from '#src/protocol/capabilities.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';

/** RFC 8414 and OpenID Connect Discovery in one: both well-known addresses serve the same document. */
export function authorizationServerMetadata(site: SiteRecord, signing: boolean): Record<string, unknown> {
  const at = (path: string): string => `${site.base_url}${path}`;
  return {
    issuer: site.base_url,
    authorization_endpoint: at(ENDPOINTS.authorization),
    token_endpoint: at(ENDPOINTS.token),
    userinfo_endpoint: at(ENDPOINTS.userinfo),
    revocation_endpoint: at(ENDPOINTS.revocation),
    introspection_endpoint: at(ENDPOINTS.introspection),
    registration_endpoint: at(ENDPOINTS.registration),
    end_session_endpoint: at(ENDPOINTS.endSession),
    jwks_uri: at(ENDPOINTS.jwks),
    scopes_supported: SCOPE_NAMES,
    response_types_supported: RESPONSE_TYPES,
    response_modes_supported: RESPONSE_MODES,
    prompt_values_supported: promptsOf(site),
    ui_locales_supported: LANGUAGES,
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: CODE_CHALLENGE_METHODS,
    token_endpoint_auth_methods_supported: ENABLED_CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: ENABLED_CLIENT_AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: ENABLED_CLIENT_AUTH_METHODS,
    // `sub` is valid at this site: the same person has another one at every other site (OpenID Connect Core §8).
    subject_types_supported: ['pairwise'],
    // Absent while no key signs: then no id_tokens are issued.
    ...(signing ? { id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS } : {}),
    claim_types_supported: ['normal'],
    claims_supported: ['iss', 'aud', 'exp', 'iat', 'nonce', 'auth_time', ...Object.values(CLAIMS_OF_SCOPE).flat()],
    // Clients prefer this way when it is announced, so it is present only where the site accepts documents.
    ...(permitsDocuments(site.settings) ? { client_id_metadata_document_supported: true } : {}),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    service_documentation: at(ENDPOINTS.guide),
    protected_resources: [site.base_url],
    registration_policy: {
      platforms: PLATFORMS.map(({ name }) => name),
      loopback: site.settings.loopback_registration,
    },
  };
}

/** The resource's paths that have a metadata document of their own (RFC 9728 §3.1). */
const OWN_RESOURCE = new Set(['/mcp']);
const ROOT_RESOURCE = new Set(['', '/member/graphql', '/api/v1']);

/**
 * RFC 9728. Every token is for the origin; only `/mcp` has a resource name of its own, because strict clients compare
 * `resource` with the URL that they connect to. Undefined for paths that are not a resource.
 */
export function protectedResourceMetadata(site: SiteRecord, path: string): Record<string, unknown> | undefined {
  const isOwn = OWN_RESOURCE.has(path) && connectsTools(site);
  if (!isOwn && !ROOT_RESOURCE.has(path)) return undefined;
  return {
    resource: isOwn ? `${site.base_url}${path}` : site.base_url,
    resource_name: site.name,
    authorization_servers: [site.base_url],
    scopes_supported: ADVERTISED_RESOURCE_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${site.base_url}${ENDPOINTS.guide}`,
  };
}
