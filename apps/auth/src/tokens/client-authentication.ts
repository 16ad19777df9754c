import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimiter } from '@lyceum/rate-limit';
import { isAuthentic } from '#src/clients/client-secret.policy.js';
import type { SecretHashes } from '#src/clients/client-secret.policy.js';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { LIMITS, secretGuesser } from '#src/limits/limits.js';

/** The client credentials of a request, and its source. */
export interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string | undefined;
  readonly ip: string;
}

export interface ClientForm {
  readonly form: URLSearchParams;
  readonly who: ClientCredentials;
}

/**
 * The metadata does not list `client_secret_basic`. The challenge contains the reason too: clients on oauth4webapi
 * print its parameters and drop the body.
 */
export function headerRefused(realm: string): OAuthError {
  const description = 'Send client_id and client_secret in the form (client_secret_post), not in a header';
  const challenge = `Basic realm="${realm}", error="invalid_client", error_description="${description}"`;
  return new OAuthError(401, 'invalid_client', description, { 'www-authenticate': challenge });
}

/** A form that names the client. */
export async function readClientForm(request: FastifyRequest): Promise<ClientForm> {
  if (request.headers.authorization !== undefined) throw headerRefused(siteOf(request).base_url);
  const form = await readForm(request);
  const client_id = single(form, 'client_id');
  const client_secret = single(form, 'client_secret');
  if (client_id === undefined) throw new OAuthError(400, 'invalid_request', 'client_id is required');
  return { form, who: { client_id, client_secret, ip: request.ip } };
}

/** An unknown client gets the same response as one that did not authenticate. */
export function unauthenticated({ client_secret }: Pick<ClientCredentials, 'client_secret'>): OAuthError {
  const hint = client_secret === undefined ? ': the client is unknown, or has to send client_secret in the form' : '';
  return new OAuthError(401, 'invalid_client', `Client authentication failed${hint}`);
}

/** Client authentication at the token and the revocation endpoint. */
@Injectable()
export class ClientAuthentication {
  constructor(private readonly limits: RateLimiter) {}

  /** Returns the result of `find` when the client authenticates. Wrong secrets are rate limited (RFC 6749 §2.3.1). */
  async of<Client extends SecretHashes>(
    { client_id, client_secret, ip }: ClientCredentials,
    find: () => Promise<Client | undefined>,
  ): Promise<Client> {
    const guesser = client_secret === undefined ? undefined : secretGuesser(client_id, ip);
    if (guesser !== undefined) this.limits.refuseExhausted(LIMITS.wrong_secrets, guesser);
    const client = await find();
    if (client !== undefined && isAuthentic(client, client_secret)) return client;
    if (guesser !== undefined) await this.limits.secondsToWait(LIMITS.wrong_secrets, guesser);
    throw unauthenticated({ client_secret });
  }
}
