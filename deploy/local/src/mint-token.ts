import { request } from 'undici';
import { BrowserSession, type SessionOptions } from './browser-session.js';
import { OAuthClient } from './oauth-client.js';

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
  const { site, via, client_id, client_secret, redirect_uris, scope, resource = site.base_url } = options;
  const connection = { origin: site.base_url, ...(via === undefined ? {} : { via }) };
  const client = new OAuthClient({
    browser: new BrowserSession(connection),
    client_id,
    client_secret,
    redirect_uri: redirect_uris?.[0] ?? 'http://127.0.0.1:7777/callback',
    scope,
    resource,
  });
  return exchange(connection, client.exchangeForm(await client.code(options)));
}

async function exchange({ origin, via = origin }: SessionOptions, form: URLSearchParams): Promise<TokenSet> {
  const { statusCode, body } = await request(new URL('/api/oauth/token', via), {
    method: 'POST',
    headers: { host: new URL(origin).host, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The token endpoint answered ${statusCode}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as TokenSet;
}
