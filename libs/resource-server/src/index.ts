export { introspectionEnvironment } from './configuration.js';
export { ResourceServerModule } from './resource-server.module.js';
export {
  Audience,
  CurrentPrincipal,
  CurrentSite,
  Open,
  RequireScopes,
  isOpen,
  principalOf,
} from './access.decorators.js';
export { sendNotFoundPage, showUnknownPaths } from './unknown-paths.hook.js';
export { guardRoutes } from './access.hook.js';
export { BearerAuthenticator } from './bearer.authenticator.js';
export type { Presented } from './bearer.authenticator.js';
export { bearerToken } from './bearer-token.js';
export { SiteDirectory } from './site-directory.js';
export { asInternalRequest } from './internal-request.js';
export { useSites } from './sites.hook.js';
export { TokenVerifier } from './token-verifier.js';
export type { TokenIntrospection } from './token-introspection.js';
export { bareEndpoints } from './endpoints.js';
