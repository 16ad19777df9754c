import { SCOPES, SCOPE_NAMES } from '@lyceum/contracts';
import { clientsByDocument } from './guide.documents.js';
import { errors, limits, notSupported } from './guide.tables.js';
import { PLATFORMS } from '#src/platforms/platforms.js';
import { ENABLED_CLIENT_AUTH_METHODS, ID_TOKEN_ALGORITHMS } from '#src/protocol/capabilities.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { TEACHER_SCOPES } from '#src/scopes/grantable.policy.js';
import { connectsTools, promptsOf } from '#src/sites/site.js';
import type { SiteRecord } from '#src/sites/site.js';

const TEACHER = TEACHER_SCOPES.map((scope) => `\`${scope}\``)
  .join(', ')
  .replace(/, ([^,]+)$/, ' and $1');

const scopeRow = (name: (typeof SCOPE_NAMES)[number]): string =>
  `| \`${name}\` | ${SCOPES[name].audience} | ${SCOPES[name].words} |`;

function registration(site: SiteRecord): string {
  const { loopback_registration, localhost_registration } = site.settings;
  const platforms = PLATFORMS.length === 0 ? 'none at the moment' : PLATFORMS.map(({ name }) => name).join(', ');
  const loopback = loopback_registration
    ? `open: every redirect URI is \`http://127.0.0.1:<port>/<path>\` or \`http://[::1]:<port>/<path>\`${localhost_registration ? ', or `http://localhost…`' : ''}; the port is free at authorization`
    : 'closed at this site';
  return `- **Platforms by name**: ${platforms}.
- **Loopback clients** (RFC 7591): ${loopback}. You get a public client for the operator scopes. \`post_logout_redirect_uris\` are loopback too.
- **Anything else** is refused at registration: \`invalid_redirect_uri\` for a redirect URI that is not loopback, else \`invalid_client_metadata\`, also for a loopback client with a name that looks like a platform's or this site's; \`account:*\` is refused with \`invalid_scope\`.
- ${clientsByDocument(site)}
- **Member clients**: an owner or admin of the site creates them (Developers, OAuth applications, once the beta feature “MCP connections” is on) and hands over the \`client_id\`. No self-service route exists.
- **Registration policy of this site** is in \`registration_policy\` of the metadata.`;
}

/** admin-api serves the recipes. */
const RECIPES = '/docs/clients/README.md';

/** The way to tokens: the authorization, and the exchange of its code. */
function codeFlow(site: SiteRecord): string {
  const { base_url } = site;
  const at = (path: string): string => `${base_url}${path}`;
  return `## Authorize

Send the browser to \`${at(ENDPOINTS.authorization)}\` with \`response_type=code\`, \`client_id\`, \`redirect_uri\`, \`scope\`, \`state\`, \`code_challenge\`, \`code_challenge_method=S256\`, for member scopes \`resource=${base_url}\`, and \`nonce\` when you verify an id_token.
A client from the registration endpoint may leave out \`state\`, and so may an application whose site has turned on “Compatibility” for it: PKCE and \`iss\` protect both. \`prompt\` is ${promptsOf(
    site,
  )
    .map((prompt) => `\`${prompt}\``)
    .join(
      ', ',
    )}; \`select_account\` offers the accounts that are signed in with this browser, and a sign-in with another one.${site.settings.sign_up ? ' `create` shows the page on which a person creates an account.' : ''}
On approval it comes back with \`code\`, \`state\` and \`iss\` (RFC 9207). Check that \`iss\` is \`${base_url}\`. An unknown scope is \`invalid_scope\`; \`offline_access\` is ignored, refresh tokens are always given.

## Exchange

\`POST ${at(ENDPOINTS.token)}\`, form: \`grant_type=authorization_code\`, \`code\`, \`redirect_uri\`, \`client_id\`, \`code_verifier\`, for member tokens the same \`resource\`, and \`client_secret\` for confidential clients.
The response contains \`access_token\`, \`token_type\`, \`expires_in\`, \`refresh_token\`, \`scope\`, \`created_at\`, \`school_id\`, and \`id_token\` with the \`openid\` scope, unless the metadata have no \`id_token_signing_alg_values_supported\`: use UserInfo then. Where “Compatibility” is on, a missing \`resource\` is the granted one; a different one is always \`invalid_target\`. A code works once: a second use within ${LIFETIMES.rememberedCode / 3600} hours revokes every token that it issued.`;
}

/** The step of a client that got no response to its refresh. */
function lostRefresh(repeatSeconds: number): string {
  if (repeatSeconds === 0)
    return 'A replaced token ends the whole family. If the response was lost, do not repeat: authorize again.';
  return 'If the response was lost, repeat at once, and use the newest token from then on: its siblings are no longer valid. A token that was replaced longer ago, or whose sibling was used, ends the whole family.';
}

/** The use of tokens, to their revocation. */
function use({ base_url }: SiteRecord, repeatSeconds: number): string {
  const at = (path: string): string => `${base_url}${path}`;
  return `## Use

Send \`Authorization: Bearer <token>\`. Every token is bound to \`${base_url}\`.

- 401 \`invalid_token\`: expired, revoked, malformed, or of another origin. Refresh, else authorize again. \`WWW-Authenticate\` points to the metadata.
- 403 \`insufficient_scope\`: authorize again with the scope that \`WWW-Authenticate\` names and those that you have: the new token has the requested ones alone. If that is \`invalid_scope\`, the application is for the other audience: connect another one.
- 503 \`temporarily_unavailable\`: keep the token and try again after \`Retry-After\`.

## Refresh

\`POST ${at(ENDPOINTS.token)}\`, form: \`grant_type=refresh_token\`, \`refresh_token\`, \`client_id\` (and \`client_secret\`). Every refresh returns a new refresh token; keep only the new one. ${lostRefresh(repeatSeconds)}

## Identity

- \`GET ${at(ENDPOINTS.userinfo)}\` with the token: \`sub\`, \`org_id\`, \`roles\` with \`openid\`; \`name\`, \`picture\` with \`profile\`; \`email\`, \`email_verified\` with \`email\`.
- id_token: ${ID_TOKEN_ALGORITHMS.join(', ')}, keys at \`${at(ENDPOINTS.jwks)}\`, the same claims; only from the code exchange.

## Revoke

\`POST ${at(ENDPOINTS.revocation)}\`, form: \`token\`, \`client_id\` (and \`client_secret\`). Either token ends both. The response is 200 with an empty JSON object, for an unknown token too.
\`POST ${at(ENDPOINTS.introspection)}\` (RFC 7662) returns the state of the client's own tokens.
Sign-out (OpenID Connect RP-Initiated Logout): send the browser to \`${at(ENDPOINTS.endSession)}\` with \`id_token_hint\`, or with \`client_id\` when you have no id_token. Without an \`id_token_hint\` of the person who is signed in, the person is asked. Afterwards the browser goes to \`post_logout_redirect_uri\`, which has to be registered, with your \`state\`; else to a page of this site. It ends the session of the browser; tokens stay until you revoke them.`;
}

/** The authentication guide of a site, for people and agents, from the constants of the server. */
export function guide(
  site: SiteRecord,
  { developerInfoUrl, repeatSeconds }: { developerInfoUrl: string | undefined; repeatSeconds: number },
): string {
  const { base_url } = site;
  const at = (path: string): string => `${base_url}${path}`;
  const tools = connectsTools(site) ? ` and \`${base_url}/mcp\`` : `; MCP connections are off at this site`;
  return `# Authentication at ${site.name}

**\`agent_auth\` is not supported. There is no claim step, no \`identity_endpoint\`, no \`register_uri\`.** A person signs in with a browser
and approves your application: OAuth 2.0 Authorization Code with PKCE (S256), nothing else.

Base address: \`${base_url}\`. If this guide and the metadata at \`${at(ENDPOINTS.authorizationServerMetadata)}\` differ, the metadata is correct.

## Audiences

- **Operator**: acts for the site's operator, with every scope below but \`account:*\`. Authorized by an owner or admin, or by a lecturer or teaching assistant for ${TEACHER} of own courses, own students and the own profile. Reaches \`${base_url}/api/v1\`${tools}.
- **Member**: acts for one signed-in person at this site, with \`account:read\` and \`account:write\`. Authorized by any person with a role at this site. Reaches \`${base_url}/member/graphql\`${tools}.

## Discover

- \`GET ${at(ENDPOINTS.protectedResourceMetadata)}\` (RFC 9728)
- \`GET ${at(ENDPOINTS.authorizationServerMetadata)}\` (RFC 8414), the same at \`${at(ENDPOINTS.openidConfiguration)}\`
- \`GET ${at(ENDPOINTS.apiCatalog)}\` (RFC 9727): every API of this site, with its description and its documentation
- \`GET ${at(RECIPES)}\`: recipes for common client libraries

## Get a client

\`POST ${at(ENDPOINTS.registration)}\`, \`application/json\`, for instance \`{"client_name":"My tool","redirect_uris":["http://127.0.0.1:8400/callback"],"token_endpoint_auth_method":"none"}\`

${registration(site)}

Token endpoint authentication: ${ENABLED_CLIENT_AUTH_METHODS.map((method) => `\`${method}\``).join(', ')}.

${codeFlow(site)}

${use(site, repeatSeconds)}

## Scopes

| Scope | Audience | Lets the application |
| --- | --- | --- |
${SCOPE_NAMES.map(scopeRow).join('\n')}

## Errors

OAuth endpoints return \`{"error","error_description"}\` (RFC 6749 §5.2).

${errors()}

A wrong \`client_id\` or redirect URI is a page, never a redirect.

## Limits

${limits(site, repeatSeconds)}

## Not supported

${notSupported()}

## Contact

${developerInfoUrl ?? base_url}
`;
}
