/** Paths of the authorization server below {base_url}, for the routes and for the metadata. */
export const ENDPOINTS = {
  authorization: '/oauth/authorize',
  interaction: '/oauth/interaction',
  /** The choice of an account for `prompt=select_account`. */
  accounts: '/oauth/accounts',
  /** The logos of approved clients. */
  logos: '/oauth/logos',
  endSession: '/oauth/logout',
  token: '/api/oauth/token',
  userinfo: '/api/oauth/userinfo',
  revocation: '/api/oauth/revoke',
  introspection: '/api/oauth/introspect',
  registration: '/api/oauth/register',
  jwks: '/.well-known/jwks.json',
  authorizationServerMetadata: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  protectedResourceMetadata: '/.well-known/oauth-protected-resource',
  /** The APIs of the site (RFC 9727). */
  apiCatalog: '/.well-known/api-catalog',
  guide: '/auth.md',
  /** The index for agents (llmstxt.org). */
  agentIndex: '/llms.txt',
} as const;
