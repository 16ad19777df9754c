import { ENDPOINTS } from '#src/protocol/endpoints.js';

export interface EdgeRule {
  readonly methods: readonly string[];
  /** Scripts of any origin may use it, without credentials. */
  readonly cors: boolean;
  /** Serves every host: services use an internal address. */
  readonly anyHost?: boolean;
}

const document: EdgeRule = { methods: ['GET', 'HEAD'], cors: true };
const form: EdgeRule = { methods: ['POST'], cors: true };

/** The paths of the protocol. The hook responds to wrong methods and preflights before any handler. */
const RULES: ReadonlyMap<string, EdgeRule> = new Map([
  [ENDPOINTS.authorization, { methods: ['GET', 'POST'], cors: false }],
  [ENDPOINTS.endSession, { methods: ['GET', 'POST'], cors: false }],
  [ENDPOINTS.token, form],
  [ENDPOINTS.revocation, form],
  [ENDPOINTS.registration, form],
  [ENDPOINTS.introspection, { methods: ['POST'], cors: false, anyHost: true }],
  [ENDPOINTS.userinfo, { methods: ['GET', 'POST'], cors: true }],
  [ENDPOINTS.jwks, document],
  [ENDPOINTS.authorizationServerMetadata, document],
  [ENDPOINTS.openidConfiguration, document],
  [ENDPOINTS.protectedResourceMetadata, document],
  [ENDPOINTS.apiCatalog, document],
  [ENDPOINTS.guide, document],
  [ENDPOINTS.agentIndex, document],
]);

export function edgeRule(path: string): EdgeRule | undefined {
  const rule = RULES.get(path);
  if (rule !== undefined) return rule;
  // RFC 9728 §3.1: the resource's path follows the well-known one.
  return path.startsWith(`${ENDPOINTS.protectedResourceMetadata}/`) ? document : undefined;
}
