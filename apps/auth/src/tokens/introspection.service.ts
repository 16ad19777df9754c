import { orderRoles } from '@lyceum/contracts';
import type { ServiceName } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { AuthSettings } from '#src/auth.environment.js';
import { isAuthentic } from '#src/clients/client-secret.policy.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { sameSecret } from '#src/secrets/digest.js';
import { TokensRepository } from './tokens.repository.js';
import type { TokenFacts } from './tokens.repository.js';

/** The resource server that serves `/mcp`. */
const TOOL_SERVER: ServiceName = 'mcp-gateway';

/** Longer than any token: not worth a query. */
const TOKEN_LENGTH = 512;

export interface Introspector {
  readonly client_id: string;
  readonly client_secret: string | undefined;
}

const INACTIVE = { active: false } as const;

export type Introspection =
  | typeof INACTIVE
  | (Partial<TokenFacts> & { readonly active: true; readonly token_type?: 'Bearer' });

/** RFC 7662: resource servers may introspect every access token, clients only their own tokens. */
@Injectable()
export class IntrospectionService {
  readonly #resourceServers: ReadonlyMap<string, readonly Buffer[]>;

  constructor(
    settings: AuthSettings,
    private readonly tokens: TokensRepository,
    private readonly clients: ClientsService,
  ) {
    const { RESOURCE_SERVERS } = settings.values;
    this.#resourceServers = new Map(
      Object.entries(RESOURCE_SERVERS).map(([name, secrets]) => [name, secrets.map((secret) => Buffer.from(secret))]),
    );
  }

  /** Undefined: no resource server has that name. */
  isResourceServer({ client_id, client_secret }: Introspector): boolean | undefined {
    const secrets = this.#resourceServers.get(client_id);
    if (secrets === undefined) return undefined;
    return client_secret !== undefined && secrets.some((secret) => sameSecret(client_secret, secret));
  }

  /**
   * Introspects access tokens of all sites for resource servers. A refresh token gives no access, so it is inactive.
   * The first call of a tool with a token of a grant is noted.
   */
  async forResourceServer({ client_id }: Pick<Introspector, 'client_id'>, token: string): Promise<Introspection> {
    if (token.length > TOKEN_LENGTH) return INACTIVE;
    const facts = await this.tokens.introspect(token);
    if (client_id === TOOL_SERVER && facts?.used_tools === false) await this.tokens.noteToolUse(facts.grant_id);
    return facts === undefined
      ? INACTIVE
      : { active: true, token_type: 'Bearer', ...shown(facts), ...innerFacts(facts) };
  }

  /** Undefined when the client does not authenticate. A public client has only its id, and sees only its own tokens. */
  async forClient(
    { client_id, client_secret }: Introspector,
    siteId: string,
    token: string,
  ): Promise<Introspection | undefined> {
    const client = await this.clients.atSite(client_id, siteId);
    if (client === undefined) return undefined;
    if (!isAuthentic(client, client_secret)) return undefined;
    if (token.length > TOKEN_LENGTH) return INACTIVE;
    const access = await this.tokens.introspect(token);
    const facts = access ?? (await this.tokens.introspectRefresh(token));
    if (facts?.client_id !== client_id || facts.site_id !== siteId) return INACTIVE;
    // A refresh token is no Bearer token (RFC 6750).
    return { active: true, ...(access === undefined ? {} : { token_type: 'Bearer' }), ...shown(facts) };
  }
}

function shown({ sub, client_id, audience, org_id, iss, aud, scope, iat, exp }: TokenFacts): Partial<TokenFacts> {
  return { sub, client_id, audience, org_id, iss, aud, scope, iat, exp };
}

/** Internal keys of rows and messages, for services of the deployment. A client never sees them. */
function innerFacts({ grant_id, person_id, roles }: TokenFacts): Partial<TokenFacts> {
  return { grant_id, person_id, roles: orderRoles(roles) };
}
