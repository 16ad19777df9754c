import { randomInt } from 'node:crypto';
import { BrowserSession, OAuthClient, formWith, randomText, type Page, type TokenSet } from '@lyceum/testing';
import { clientOf, personOf, systemStack, type SystemSite } from '../../stack/system-stack.js';
import { rawHttp, type ApiResponse, type Fields, type Sent } from '../raw-http.js';

export { randomText, s256 } from '@lyceum/testing';
export { encoded, outcome, rawHttp, type ApiResponse, type Fields } from '../raw-http.js';

const stack = systemStack();
export const site = stack.sites[0]!;
export const otherSite = stack.sites[1]!;
export const AUTH = stack.services.find(({ name }) => name === 'auth')!;
export const CALLBACK = 'http://127.0.0.1:7777/callback';

export const member = clientOf(site, 'member', 'public');
export const memberServer = clientOf(site, 'member', 'confidential');
export const operator = clientOf(site, 'operator', 'public');
/** Turns a request of the member client into one of the operator client. */
export const AS_OPERATOR = { client_id: operator.client_id, scope: 'openid courses:read', resource: null } as const;

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Networks for documentation (RFC 5737). */
const NETWORKS = ['203.0.113', '198.51.100', '192.0.2'] as const;

/** An address from the block of one suite, so that suites do not share limits. 96 blocks exist. */
export function sourceIn(block: number): string {
  const address = block * 8 + randomInt(8);
  return `${NETWORKS[address >> 8]}.${address & 255}`;
}

/** A person with a browser and a client at one site, with their own source address: victim or attacker. */
export class Actor {
  readonly browser: BrowserSession;
  readonly verifier = randomText();

  constructor(
    readonly source: string,
    readonly at: SystemSite = site,
  ) {
    const headers = { 'x-forwarded-for': source };
    this.browser = new BrowserSession({ origin: at.base_url, via: AUTH.internal_url, headers });
  }

  /** The public member client of the site. */
  get #client(): OAuthClient {
    return new OAuthClient({
      browser: this.browser,
      client_id: clientOf(this.at, 'member', 'public').client_id,
      redirect_uri: CALLBACK,
      scope: 'openid account:read',
      resource: this.at.base_url,
      state: 'the-state',
      verifier: this.verifier,
    });
  }

  /** Sends directly to auth, as a trusted proxy does that names the source. */
  send(path: string, { headers, ...sent }: Sent = {}): Promise<ApiResponse> {
    const host = new URL(this.at.base_url).host;
    return rawHttp(AUTH.internal_url, path, {
      ...sent,
      headers: { host, 'x-forwarded-for': this.source, ...headers },
    });
  }

  /** A valid authorization request of the member client, apart from the overrides. */
  authorization(overrides: Fields = {}): string {
    return this.#client.authorization(overrides);
  }

  /** Submits the form with this field or button, and more values beside those of its hidden fields. */
  submit(page: Page, field: string, values: Record<string, string>): Promise<Page> {
    const form = formWith(page, field);
    if (form === undefined) throw new Error(`No form with ${field} at ${page.url.href}: ${page.status}`);
    const fields = new URLSearchParams([...form.fields, ...Object.entries(values)]);
    return this.browser.open(new URL(form.action, page.url), fields);
  }

  signIn(page: Page, role = 'student'): Promise<Page> {
    const { email, password } = personOf(this.at, role);
    return this.submit(page, 'password', { email, password });
  }

  /** Signs in and approves where required. Returns the parameters that the browser brings to the client. */
  callback(overrides: Fields = {}, role = 'student'): Promise<URLSearchParams> {
    return this.#client.callback(personOf(this.at, role), overrides);
  }

  async code(overrides: Fields = {}, role = 'student'): Promise<string> {
    const parameters = await this.callback(overrides, role);
    const code = parameters.get('code');
    if (code === null) throw new Error(`No code but ${parameters.toString()}`);
    return code;
  }

  token(form: Fields | URLSearchParams): Promise<ApiResponse> {
    return this.send('/api/oauth/token', { form });
  }

  exchange(code: string, overrides: Fields = {}): Promise<ApiResponse> {
    return this.token(this.#client.exchangeForm(code, overrides));
  }

  refresh(refresh_token: string, overrides: Fields = {}): Promise<ApiResponse> {
    return this.token(this.#client.refreshForm(refresh_token, overrides));
  }

  /**
   * Runs the whole flow. Overrides go into the authorization request; `client_id` and `resource` go into both requests.
   */
  async tokens(overrides: Fields = {}, role = 'student'): Promise<Required<TokenSet>> {
    const { client_secret = null, ...request } = overrides;
    const repeated = Object.fromEntries(
      Object.entries(request).filter(([name]) => ['client_id', 'resource', 'redirect_uri'].includes(name)),
    );
    const { status, body, text } = await this.exchange(await this.code(request, role), { ...repeated, client_secret });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return body as unknown as Required<TokenSet>;
  }

  userInfo(token: string): Promise<ApiResponse> {
    return this.send('/api/oauth/userinfo', { headers: bearer(token) });
  }

  async isActive(token: string): Promise<boolean> {
    return (await this.userInfo(token)).status === 200;
  }
}
