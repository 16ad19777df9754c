import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { addFormEndpoint } from '#src/edge/form-endpoint.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { TokenLimits } from '#src/limits/token-limits.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { ClientAuthentication, readClientForm } from './client-authentication.js';
import { TokensRepository } from './tokens.repository.js';

interface Parts {
  readonly authentication: ClientAuthentication;
  readonly tokens: TokensRepository;
  readonly grants: GrantsService;
  readonly limits: TokenLimits;
}

/** A signed token, such as an id_token, cannot be revoked (RFC 7009 §2.2.1). Revocable tokens contain no dot. */
const STRUCTURED = /^eyJ[\w-]*\./;

async function respond({ authentication, tokens, grants, limits }: Parts, request: FastifyRequest): Promise<object> {
  const { site_id } = siteOf(request);
  const { form, who } = await readClientForm(request);
  await limits.ofClient('revocations', site_id, who);
  const token = form.get('token') ?? '';
  const client = await authentication.of(who, () => tokens.toRevoke(site_id, who.client_id, token));
  // `token_type_hint` is ignored.
  single(form, 'token_type_hint');
  if (single(form, 'token') === undefined) throw new OAuthError(400, 'invalid_request', 'token is required');
  if (STRUCTURED.test(token)) throw new OAuthError(400, 'unsupported_token_type', 'Signed tokens cannot be revoked');
  // A token of another client and an unknown token succeed without effect (§2.1, §2.2).
  if (client.grant_id !== null) await grants.revoke(site_id, client.grant_id, 'revoked_by_client');
  // RFC 7009 §2.2 leaves the body open; oidc-client-ts and simple-oauth2 require JSON.
  return {};
}

/** `POST /api/oauth/revoke`: ends the grant of a token, with all its tokens. */
export function addRevocationRoute(app: NestFastifyApplication): void {
  const parts: Parts = {
    authentication: app.get(ClientAuthentication),
    tokens: app.get(TokensRepository),
    grants: app.get(GrantsService),
    limits: app.get(TokenLimits),
  };
  addFormEndpoint(app, ENDPOINTS.revocation, (request) => respond(parts, request));
}
