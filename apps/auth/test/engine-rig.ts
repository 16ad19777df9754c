import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wholeTheme } from '@lyceum/contracts';
import { JwtSigner } from '#src/keys/jwt-signer.js';
import { verifiedClaims } from '#src/keys/jwt-verifier.js';
import { generateSigningKey, toPublic } from '#src/keys/signing-key.js';
import type { PrivateJwk } from '#src/keys/signing-key.js';
import { NO_PREVIOUS_SECRET } from '#src/clients/client.js';
import type { OAuthClient } from '#src/clients/client.js';
import { siteSettings } from '#src/sites/site.js';
import type { SiteRecord } from '#src/sites/site.js';
import { clientMetadata } from '#src/provider/engine/adapters/client.adapter.js';
import type { EngineParts } from '#src/provider/engine/engine.configuration.js';
import { Engine } from '#src/provider/engine/engine.js';
import {
  cookieBeforeRename,
  currentContext,
  datedCookies,
  datedGrant,
  isResuming,
  leaveCookies,
  savesSessionLater,
  withSecrets,
  withoutSecrets,
} from '#src/provider/engine/engine.internals.js';

type Adapter = ReturnType<EngineParts['adapter']>;
type AdapterPayload = ReturnType<typeof withoutSecrets>;

const CLIENT_ID = 'client';
const REDIRECT_URI = 'http://127.0.0.1:9/callback';
/** The subject of the person at the site of the rig. */
export const SUBJECT = 'member';
export const COOKIE = 'lyceum';

const site = (base_url: string): SiteRecord => ({
  site_id: '00000000-0000-4000-8000-000000000001',
  base_url,
  host: new URL(base_url).host,
  name: 'School',
  slug: 'school',
  org_id: 'org_school',
  state: 'active',
  settings: siteSettings({}),
  appearance: { version: 0, theme: wholeTheme(undefined), logo_url: null, favicon_url: null },
  school: { name: null, mcp_connections: null, locale: null, timezone: null, course_url: null },
  version: 1,
});

/** A client of the site of the rig. */
export const clientWith = (redirect_uris: readonly string[]): OAuthClient => ({
  client_key: 'key',
  client_id: CLIENT_ID,
  name: 'Client',
  redirect_uris,
  scopes: ['openid', 'courses:read', 'account:read'],
  audience: 'operator',
  source: 'site',
  secret_hash: null,
  ...NO_PREVIOUS_SECRET,
  compatibility_mode: false,
  site_id: null,
  post_logout_redirect_uris: [],
  review: null,
  version: 1,
  created_at: new Date(0),
  last_used_at: null,
});
const CLIENT = clientMetadata(clientWith([REDIRECT_URI]));

interface Call {
  readonly model: string;
  readonly method: string;
  readonly id: string;
  readonly payload?: AdapterPayload;
}

/** The engine with rows in memory, and a record of its calls to them. */
export class EngineRig {
  readonly calls: Call[] = [];
  readonly rows = new Map<string, AdapterPayload>();
  readonly cookies = new Map<string, string>();
  account: string | undefined = 'person';
  dropSessions = false;
  origin = '';
  engine!: Engine;
  #server!: Server;
  /** Signs, and is published. */
  #key!: PrivateJwk;
  /** Has left the JWKS. */
  #olderKey!: PrivateJwk;

  async start(): Promise<this> {
    [this.#key, this.#olderKey] = [await generateSigningKey(), await generateSigningKey()];
    this.#server = createServer((request, response) => void this.engine.handle(request, response)).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => this.#server.once('listening', resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.engine = new Engine({
      site: site(this.origin),
      keys: { revision: '1', publicKeys: [], privateKeys: [this.#key], signing: true, signer: undefined },
      claimsOf: (token) => verifiedClaims([toPublic(this.#olderKey)], token),
      cookieKeys: ['a'.repeat(32)],
      adapter: (model) => this.#adapter(model),
      findAccount: (_ctx, accountId) =>
        this.account === accountId ? { accountId, sub: SUBJECT, claims: () => ({ sub: SUBJECT }) } : undefined,
      loadExistingGrant: (ctx) => {
        const grantId = ctx.oidc.result?.consent?.grantId;
        return grantId === undefined ? Promise.resolve(undefined) : ctx.oidc.provider.Grant.find(grantId);
      },
      decisions: { keep: () => Promise.resolve() },
      renderError: (ctx, out) => {
        ctx.body = JSON.stringify(out);
      },
    });
    return this;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #adapter(model: string): Adapter {
    const at = (id: string): string => `${model}:${id}`;
    const called = (method: string, id: string, payload?: AdapterPayload): void => {
      this.calls.push({ model, method, id, ...(payload && { payload }) });
    };
    const unused = (): never => {
      throw new Error('unused');
    };
    return {
      upsert: (id, payload) => {
        const ctx = currentContext();
        const cookies = datedCookies([ctx?.response.get('set-cookie') ?? []].flat(), COOKIE, payload);
        called('upsert', id, { ...payload, before: cookieBeforeRename(ctx), later: savesSessionLater(ctx), cookies });
        if (model === 'Session' && this.dropSessions) leaveCookies(currentContext());
        this.rows.set(at(id), model === 'Interaction' ? withoutSecrets(payload) : payload);
        return Promise.resolve();
      },
      find: (id) => {
        called('find', id);
        if (model === 'Client') return Promise.resolve({ ...CLIENT });
        const row = this.rows.get(at(id));
        if (model !== 'Interaction') return Promise.resolve(row && { ...row, jti: id });
        return Promise.resolve(row && withSecrets(row, id, `${this.origin}/oauth/authorize`));
      },
      destroy: (id) => {
        called(isResuming(currentContext()) ? 'destroy while resuming' : 'destroy', id);
        return Promise.resolve();
      },
      findByUid: (uid) =>
        Promise.resolve([...this.rows.values()].find((row) => row.kind === 'Session' && row.uid === uid)),
      findByUserCode: unused,
      consume: unused,
      revokeByGrantId: unused,
    };
  }

  async get(path: string): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.origin), {
      redirect: 'manual',
      headers: { cookie, accept: 'application/json' },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  authorize(changes: Record<string, string | undefined> = {}): Promise<Response> {
    const wanted = {
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
      scope: 'openid courses:read',
      state: 'state',
      nonce: 'nonce',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...changes,
    };
    const given = Object.entries(wanted).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return this.get(`/oauth/authorize?${new URLSearchParams(given).toString()}`);
  }

  /** Stores a result in the current interaction, and resumes it. */
  resume(response: Response, result: AdapterPayload['result']): Promise<Response> {
    const uid = response.headers.get('location')?.split('/').at(-1) ?? '';
    const row = this.rows.get(`Interaction:${uid}`);
    if (row === undefined) throw new Error(`No interaction at ${response.headers.get('location')}`);
    this.rows.set(`Interaction:${uid}`, { ...row, result: { ...row.result, ...result } });
    return this.get(`/oauth/authorize/${uid}`);
  }

  async toCode(): Promise<URL> {
    const toConsent = await this.resume(await this.authorize(), { login: { accountId: 'person', amr: ['pwd'] } });
    const { Grant } = this.engine.provider;
    const grant = new Grant({ accountId: 'person', clientId: CLIENT_ID });
    grant.addOIDCScope('openid courses:read');
    grant.addResourceScope(this.origin, 'openid courses:read');
    this.rows.set('Grant:grant', datedGrant(grant, 'grant', 600));
    return locationOf(await this.resume(toConsent, { consent: { grantId: 'grant' } }));
  }

  /** An id_token by the key that has left the JWKS. */
  olderIdToken(claims: { readonly sub: string; readonly iss?: string; readonly aud?: string }): Promise<string> {
    const iat = Math.floor(Date.now() / 1000) - 86_400;
    return new JwtSigner(this.#olderKey).sign({ iss: this.origin, aud: CLIENT_ID, iat, exp: iat + 60, ...claims });
  }

  membersOf(model: string): readonly string[] {
    const found = Reflect.get(this.engine.provider, model) as { IN_PAYLOAD: readonly string[] } | undefined;
    return found?.IN_PAYLOAD ?? [];
  }

  last(model: string, method: string): Call | undefined {
    return this.calls.findLast((call) => call.model === model && call.method === method);
  }
}

export const locationOf = (response: Response): URL =>
  new URL(response.headers.get('location') ?? '', 'http://relative');
