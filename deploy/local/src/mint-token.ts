import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';
import { approve } from './approve.js';
import type { SessionOptions } from './browser-session.js';

export interface MintOptions {
  readonly site: { readonly base_url: string };
  /** Address to connect to instead of `base_url`, when auth runs without the edge. */
  readonly via?: string;
  readonly email: string;
  readonly password: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris?: readonly string[];
  /** Space-separated. */
  readonly scope: string;
  /** RFC 8707 resource. Default: the site's `base_url`; `null` omits it. */
  readonly resource?: string | null;
}

export interface TokenSet {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

/**
 * A token of the real auth service by the authorization code flow: authorization request with PKCE, sign-in, consent,
 * code, token request.
 */
export async function mintToken(options: MintOptions): Promise<TokenSet> {
  const redirect_uri = options.redirect_uris?.[0] ?? 'http://127.0.0.1:7777/callback';
  const code_verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const resource = options.resource === undefined ? options.site.base_url : options.resource;
  const bound: Record<string, string> = resource === null ? {} : { resource };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: options.client_id,
    redirect_uri,
    scope: options.scope,
    state,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...bound,
  });
  const connection = { origin: options.site.base_url, ...(options.via === undefined ? {} : { via: options.via }) };
  const callback = await approved(connection, `/oauth/authorize?${query.toString()}`, options);
  if (callback.get('state') !== state) throw new Error('The callback carries another state than the request');
  return exchange(connection, {
    grant_type: 'authorization_code',
    code: callback.get('code') ?? '',
    redirect_uri,
    client_id: options.client_id,
    code_verifier,
    ...(options.client_secret === undefined ? {} : { client_secret: options.client_secret }),
    ...bound,
  });
}

/** The parameters of the redirect to the client; throws for an error. */
async function approved(connection: SessionOptions, path: string, person: MintOptions): Promise<URLSearchParams> {
  const { searchParams } = await approve(new URL(path, connection.origin), person, connection);
  if (!searchParams.has('code'))
    throw new Error(`Refused: ${searchParams.get('error')} (${searchParams.get('error_description')})`);
  return searchParams;
}

async function exchange({ origin, via = origin }: SessionOptions, form: Record<string, string>): Promise<TokenSet> {
  const { statusCode, body } = await request(new URL('/api/oauth/token', via), {
    method: 'POST',
    headers: { host: new URL(origin).host, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The token endpoint answered ${statusCode}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as TokenSet;
}
