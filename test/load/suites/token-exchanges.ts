import { oneTime, type OneTime, VERIFIER } from '../data/families.ts';
import { fromSource } from '../sources.ts';
import type { Comparison, Contender, LoadRequest } from '../suite.ts';

type Side = Pick<Contender, 'name' | 'origin' | 'pid'>;

export interface Sides {
  readonly ours: Side;
  readonly baseline: Side;
}

export interface Exchanges {
  readonly sides: Sides;
  readonly clientId: string;
  readonly host: string;
  readonly resource: string;
  readonly redirectUri: string;
  /** The number of refresh tokens and codes. */
  readonly supply: number;
}

const TITLES: Readonly<Record<OneTime, string>> = {
  RefreshToken: 'refresh, rotating ÷ stock oidc-provider',
  AuthorizationCode: 'code exchange ÷ stock oidc-provider',
};
/** Source addresses of the client, which has a limit at each. */
const SOURCES = 4_096;
const VARIES_IN = ['access_token', 'refresh_token', 'created_at'];

/** Exchanges a refresh token or code for a new access and refresh token. */
export function exchangeComparison(kind: OneTime, exchanges: Exchanges): Comparison {
  const { sides, clientId, host, resource, redirectUri, supply } = exchanges;
  const values = Array.from({ length: supply }, (_, index) => oneTime(kind, 1 + index));
  const used = new Set(values);
  const form = (value: string): Record<string, string> =>
    kind === 'RefreshToken'
      ? { grant_type: 'refresh_token', refresh_token: value, client_id: clientId }
      : {
          grant_type: 'authorization_code',
          code: value,
          code_verifier: VERIFIER,
          redirect_uri: redirectUri,
          client_id: clientId,
        };
  const requests = (path: string, headers: Record<string, string>, more: Record<string, string>): LoadRequest[] =>
    values.map((value, index) => ({
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...fromSource(index % SOURCES),
        ...headers,
      },
      body: new URLSearchParams({ ...form(value), ...more }).toString(),
    }));
  const facts = (body: unknown): unknown => {
    const { access_token, refresh_token, token_type, expires_in, scope } = body as Record<string, unknown>;
    if (typeof access_token !== 'string' || typeof refresh_token !== 'string' || used.has(refresh_token))
      throw new Error(`No new tokens: ${JSON.stringify(body)}`);
    return { token_type, expires_in, scope };
  };
  const responses = { facts, variesIn: VARIES_IN };
  return {
    suite: 'auth',
    title: TITLES[kind],
    goal: 1.5,
    once: true,
    // Auth binds tokens to an origin; the client must repeat it at the code exchange of a member token (RFC 8707).
    ours: { ...sides.ours, ...responses, requests: requests('/api/oauth/token', { host }, { resource }) },
    baseline: { ...sides.baseline, ...responses, requests: requests('/token', {}, {}) },
  };
}
