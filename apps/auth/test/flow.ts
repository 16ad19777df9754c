import { BrowserSession, OAuthClient, encodedParameters, randomText, s256 } from '@lyceum/testing';
import type { OAuthParameters as Parameters, Page } from '@lyceum/testing';
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

export type { OAuthParameters as Parameters } from '@lyceum/testing';

export const VERIFIER = randomText();
export const CHALLENGE = s256(VERIFIER);

export interface FlowClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

/** A client whose approvals are remembered. A public client on loopback needs consent each time. */
export const SERVER: FlowClient = { client_id: 'first-member-server', client_secret: SECRET };

export const DOUBLE_CLICKS = ['at once', 'one after the other'] as const;
export type DoubleClick = (typeof DOUBLE_CLICKS)[number];

export interface Twice {
  /** The browser of the first submission. */
  readonly first: Flow;
  readonly pages: readonly Page[];
}

/** A client and a person at one site. */
export class Flow {
  readonly browser: BrowserSession;
  readonly #application: OAuthClient;

  constructor(
    readonly auth: TestAuth,
    readonly site: TestSite = auth.site,
    readonly client: FlowClient = { client_id: 'first-member' },
    /** Sent by the browser with every request. */
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.browser = new BrowserSession({ origin: site.base_url, via: auth.url, headers });
    this.#application = new OAuthClient({
      browser: this.browser,
      ...client,
      redirect_uri: CALLBACK,
      scope: 'openid profile email account:read',
      resource: site.base_url,
      state: 'a-state',
      verifier: VERIFIER,
    });
  }

  /** A browser with the cookies that this one sends to the path at this moment. */
  copy(path: string): Flow {
    const copy = new Flow(this.auth, this.site, this.client);
    for (const pair of this.browser.cookiesFor(path).split('; ')) copy.browser.keep(`${pair}; path=/`);
    return copy;
  }

  /**
   * Submits the form twice, as a double click does. The first response reaches no browser, because the second one
   * replaces it: only the second browser is this one.
   */
  async submitTwice(page: Page, field: string, values: Record<string, string>, when: DoubleClick): Promise<Twice> {
    const first = this.copy(page.url.pathname);
    const click = (flow: Flow): Promise<Page> => flow.submit(page, field, values);
    const pages =
      when === 'at once' ? await Promise.all([click(first), click(this)]) : [await click(first), await click(this)];
    return { first, pages };
  }

  async send(path: string, init: RequestInit = {}): Promise<ApiResponse> {
    const response = await fetch(new URL(path, this.site.base_url), { redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }

  post(path: string, form: Parameters | URLSearchParams, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const body = form instanceof URLSearchParams ? form : encodedParameters(form);
    return this.send(path, { method: 'POST', body, headers });
  }

  /** A valid authorization URL with overrides. */
  authorizationUrl(overrides: Parameters = {}): string {
    return this.#application.authorization(overrides);
  }

  /** Submits the form with that field or button. */
  submit(page: Page, field: string, values: Record<string, string>): Promise<Page> {
    return this.browser.submit(page, field, values);
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
  callback(overrides: Parameters = {}, name = 'student'): Promise<URLSearchParams> {
    return this.#application.callback({ email: `${name}@school.example`, password: PASSWORD }, overrides);
  }

  exchange(code: string | null, overrides: Parameters = {}): Promise<ApiResponse> {
    return this.post('/api/oauth/token', this.#application.exchangeForm(code ?? '', overrides));
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
    return this.post('/api/oauth/token', this.#application.refreshForm(refresh_token, overrides));
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
