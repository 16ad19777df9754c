import { hash, randomBytes } from 'node:crypto';
import { BrowserSession, postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { CALLBACK, PASSWORD, RESOURCE_SERVER, SECRET } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
  readonly scope: string;
}

/** Null leaves a parameter out. */
export type Parameters = Readonly<Record<string, string | null>>;

function parameters(given: Parameters): URLSearchParams {
  return new URLSearchParams(Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== null));
}

export const VERIFIER = randomBytes(32).toString('base64url');
export const CHALLENGE = hash('sha256', VERIFIER, 'base64url');

export interface FlowClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

/** A client whose approvals are remembered. A public client on loopback needs consent each time. */
export const SERVER: FlowClient = { client_id: 'first-member-server', client_secret: SECRET };

/** A client and a person at one site. */
export class Flow {
  readonly browser: BrowserSession;

  constructor(
    readonly auth: TestAuth,
    readonly site: TestSite = auth.site,
    readonly client: FlowClient = { client_id: 'first-member' },
    /** Sent by the browser with every request. */
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.browser = new BrowserSession({ origin: site.base_url, via: auth.url, headers });
  }

  async send(path: string, init: RequestInit = {}): Promise<ApiResponse> {
    const response = await fetch(new URL(path, this.site.base_url), { redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }

  post(path: string, form: Parameters, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send(path, { method: 'POST', body: parameters(form), headers });
  }

  /** A valid authorization URL with overrides. */
  authorizationUrl(overrides: Parameters = {}): string {
    const query = parameters({
      response_type: 'code',
      client_id: this.client.client_id,
      redirect_uri: CALLBACK,
      scope: 'openid profile email account:read',
      state: 'a-state',
      resource: this.site.base_url,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...overrides,
    });
    return `/oauth/authorize?${query.toString()}`;
  }

  /** Submits the form with that field or button. */
  submit(page: Page, field: string, values: Record<string, string>): Promise<Page> {
    const form = postForms(page.body).find(({ names }) => names.has(field));
    if (form === undefined) throw new Error(`No form with ${field}: ${page.body.replace(/<[^>]*>|\s+/g, ' ')}`);
    const fields = new URLSearchParams(form.fields);
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    return this.browser.open(new URL(form.action, page.url), fields);
  }

  signIn(page: Page, name = 'student', password = PASSWORD): Promise<Page> {
    return this.submit(page, 'password', { email: `${name}@school.example`, password });
  }

  /** Signs this browser or all browsers of the person out. */
  async signOut(where: 'here' | 'everywhere'): Promise<Page> {
    return this.submit(await this.browser.open('/account/sign-out-everywhere'), 'where', { where });
  }

  decide(page: Page, decision: 'approve' | 'deny'): Promise<Page> {
    return this.submit(page, 'decision', { decision });
  }

  /** Signs in and approves; returns the parameters of the redirect to the client. */
  async callback(overrides: Parameters = {}, name = 'student'): Promise<URLSearchParams> {
    let page = await this.browser.open(this.authorizationUrl(overrides));
    if (page.body.includes('name="password"')) page = await this.signIn(page, name);
    if (page.body.includes('value="approve"')) page = await this.decide(page, 'approve');
    if (page.url.origin === this.site.base_url) throw new Error(`Still at the site: ${page.status} ${page.body}`);
    return page.url.searchParams;
  }

  exchange(code: string | null, overrides: Parameters = {}): Promise<ApiResponse> {
    return this.post('/api/oauth/token', {
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: CALLBACK,
      ...this.client,
      code_verifier: VERIFIER,
      resource: this.site.base_url,
      ...overrides,
    });
  }

  /** Tokens of the whole flow; `client` is part of both requests. */
  async tokens(client: Parameters = {}, name = 'student'): Promise<Tokens> {
    const own = 'client_id' in client ? undefined : this.client.client_secret;
    const { client_secret = own ?? null, ...request } = client;
    const callback = await this.callback(request, name);
    const { status, body } = await this.exchange(callback.get('code'), {
      ...('client_id' in request ? { client_id: request['client_id'] ?? null } : {}),
      ...('resource' in request ? { resource: request['resource'] ?? null } : {}),
      client_secret,
    });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body as unknown as Tokens;
  }

  refresh(refresh_token: string, overrides: Parameters = {}): Promise<ApiResponse> {
    return this.post('/api/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token,
      ...this.client,
      ...overrides,
    });
  }

  introspect(token: string, caller: Parameters = RESOURCE_SERVER): Promise<ApiResponse> {
    return this.post('/api/oauth/introspect', { token, ...caller });
  }

  async isActive(token: string): Promise<boolean> {
    const { body } = await this.introspect(token);
    return body['active'] === true;
  }

  userInfo(token: string): Promise<ApiResponse> {
    return this.send('/api/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } });
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { text };
  }
}
