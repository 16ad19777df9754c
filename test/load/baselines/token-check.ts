import { hash } from 'node:crypto';
import { exchange } from '../exchange.ts';

export interface Introspection {
  /** The RFC 7662 endpoint. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Ids of the sites by their origin. */
  readonly sites: Readonly<Record<string, string>>;
}

/** The principal of an active token. */
export interface Caller {
  readonly site_id: string;
  readonly person_id: string;
  readonly client_id: string;
  readonly origin: string;
  readonly scopes: ReadonlySet<string>;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** Milliseconds for which a result is cached, as in our resource servers. */
const LIFETIME = 4_500;
const BEARER = /^Bearer ([\w-]+)$/;

/** Checks tokens as our resource servers do: RFC 7662, with results kept by the digest of the token. */
export class TokenCheck {
  readonly #introspection: Introspection;
  readonly #results = new Map<string, { readonly caller: Promise<Caller | undefined>; readonly until: number }>();

  constructor(introspection: Introspection) {
    this.#introspection = introspection;
  }

  /** Undefined unless the token is active, was issued for the site of the host, and has the scope. */
  async callerOf(authorization: string | undefined, host: string, scope: string): Promise<Caller | undefined> {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const caller = await this.#resultOf(token);
    if (caller === undefined || caller.expiresAt * 1_000 <= Date.now()) return undefined;
    return caller.origin === `https://${host}` && caller.scopes.has(scope) ? caller : undefined;
  }

  #resultOf(token: string): Promise<Caller | undefined> {
    const key = hash('sha256', token, 'hex');
    const known = this.#results.get(key);
    if (known !== undefined && performance.now() < known.until) return known.caller;
    const caller = this.#introspect(token);
    this.#results.set(key, { caller, until: performance.now() + LIFETIME });
    return caller;
  }

  async #introspect(token: string): Promise<Caller | undefined> {
    const { url, clientId, clientSecret } = this.#introspection;
    const { origin, pathname } = new URL(url);
    const form = { token, token_type_hint: 'access_token', client_id: clientId, client_secret: clientSecret };
    const { status, body } = await exchange(origin, {
      method: 'POST',
      path: pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    });
    if (status !== 200) throw new Error(`auth answered ${status}`);
    const found = JSON.parse(body) as Record<string, string> & { active: boolean; exp: number };
    if (!found.active) return undefined;
    const { person_id = '', client_id = '', aud = '', scope = '', exp } = found;
    const site_id = this.#introspection.sites[aud];
    if (site_id === undefined) return undefined;
    return { site_id, person_id, client_id, origin: aud, scopes: new Set(scope.split(' ')), expiresAt: exp };
  }
}
