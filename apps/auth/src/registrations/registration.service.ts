import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import { z } from 'zod';
import { RateLimiter, sourceOf } from '@lyceum/rate-limit';
import { ClientsService } from '#src/clients/clients.service.js';
import { isNative } from '#src/clients/redirect-uri.policy.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { LIMITS } from '#src/limits/limits.js';
import { PLATFORMS } from '#src/platforms/platforms.js';
import type { Platform } from '#src/platforms/platforms.js';
import { Platforms } from '#src/platforms/platforms.service.js';
import { GRANT_TYPES, RESPONSE_TYPES } from '#src/protocol/capabilities.js';
import { scopesOfAudience } from '#src/scopes/grantable.policy.js';
import type { SiteRecord } from '#src/sites/site.js';
import { REGISTRATION_LIMITS, decideRegistration } from './registration.policy.js';

const uris = z
  .array(z.string().max(REGISTRATION_LIMITS.redirectUriLength))
  .max(REGISTRATION_LIMITS.redirectUris)
  .default([]);

const requestSchema = z.object({
  client_name: z
    .string()
    .trim()
    .min(1)
    .max(REGISTRATION_LIMITS.nameLength)
    // Rejects control and formatting characters, because consent shows the name.
    .regex(/^[^\p{C}]+$/u, 'must be plain text')
    .optional(),
  redirect_uris: uris,
  post_logout_redirect_uris: uris,
  scope: z.string().max(2000).optional(),
});

/** RFC 7591 §3.2.1 */
export type ClientRegistration = Readonly<Record<string, unknown>>;

@Injectable()
export class RegistrationService {
  constructor(
    private readonly clients: ClientsService,
    private readonly limits: RateLimiter,
    private readonly outbox: Outbox,
    private readonly platforms: Platforms,
  ) {}

  async register(site: SiteRecord, ip: string, body: unknown): Promise<ClientRegistration> {
    await this.limits.take(LIMITS.registration, sourceOf(ip));
    const parsed = requestSchema.safeParse(body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const field = String(issue?.path[0]).endsWith('redirect_uris')
        ? 'invalid_redirect_uri'
        : 'invalid_client_metadata';
      throw new OAuthError(400, field, `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'is not valid'}`);
    }
    const request = { client_name: undefined, scope: undefined, ...parsed.data };
    const decision = decideRegistration(request, PLATFORMS, site);
    if (decision.kind === 'refused') throw new OAuthError(400, decision.error, decision.description);
    if (decision.kind === 'platform') {
      await this.platforms.keep(decision.platform);
      return platformResponse(decision.platform);
    }
    await this.limits.take(LIMITS.registration_by_site, site.site_id);
    const { kind, ...definition } = decision;
    const client = await this.outbox.transaction((manager) =>
      this.clients.create(manager, site.site_id, kind, { ...definition, audience: 'operator' }),
    );
    const { post_logout_redirect_uris } = client;
    return {
      client_id: client.client_id,
      client_id_issued_at: Math.floor(client.created_at.getTime() / 1000),
      ...common(client.name, client.redirect_uris, client.scopes),
      ...(post_logout_redirect_uris.length > 0 ? { post_logout_redirect_uris } : {}),
    };
  }
}

function common(client_name: string, redirect_uris: readonly string[], scopes: readonly string[]): ClientRegistration {
  return {
    client_name,
    redirect_uris,
    application_type: 'native',
    grant_types: GRANT_TYPES,
    response_types: RESPONSE_TYPES,
    token_endpoint_auth_method: 'none',
    scope: scopes.join(' '),
  };
}

function platformResponse({ client_id, name, redirect_uris }: Platform): ClientRegistration {
  const application_type = isNative(redirect_uris) ? 'native' : 'web';
  return { client_id, ...common(name, redirect_uris, scopesOfAudience('operator')), application_type };
}
