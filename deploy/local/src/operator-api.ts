import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { DemoClient, DemoSite } from './demo.js';
import { mintToken } from './mint-token.js';

const PATIENCE_MS = 20_000;
const PAUSE_MS = 100;

export interface OperatorResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The operator API of a site for a program of the school. */
export class OperatorApi {
  private constructor(
    private readonly origin: string,
    private readonly token: string,
    private readonly client: DemoClient,
  ) {}

  /** The owner of the site signs in and approves the scopes of the client. */
  static async open(
    { base_url, people }: Pick<DemoSite, 'base_url' | 'people'>,
    client: DemoClient,
  ): Promise<OperatorApi> {
    const owner = people.find(({ roles }) => roles.includes('owner'));
    if (owner === undefined) throw new Error(`${base_url} has no owner`);
    const { client_id, client_secret, redirect_uris } = client;
    const { access_token } = await mintToken({
      site: { base_url },
      email: owner.email,
      password: owner.password,
      client_id,
      ...(client_secret === undefined ? {} : { client_secret }),
      redirect_uris,
      scope: client.scopes.join(' '),
    });
    return new OperatorApi(base_url, access_token, client);
  }

  /**
   * Repeats the request while the site is temporarily unavailable: the services have just started.
   *
   * @throws for any other response without success whose status is not in `expected`.
   */
  async send(
    method: 'GET' | 'PATCH' | 'POST' | 'PUT',
    path: string,
    { body, expected = [] }: { readonly body?: object; readonly expected?: readonly number[] } = {},
  ): Promise<OperatorResponse> {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
      const response = await this.exchange(method, path, body);
      if (response.status === 503 && Date.now() < until) continue;
      if (response.status < 300 || expected.includes(response.status)) return response;
      throw new Error(`${method} ${this.origin}${path}: ${response.status} ${JSON.stringify(response.body)}`);
    }
  }

  /** Ends the token. */
  async close(): Promise<void> {
    const { client_id, client_secret = '' } = this.client;
    const form = new URLSearchParams({ token: this.token, client_id, client_secret });
    const response = await request(`${this.origin}/api/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    await response.body.dump();
    if (response.statusCode !== 200)
      throw new Error(`The token of ${client_id} was not revoked: ${response.statusCode}`);
  }

  private async exchange(method: string, path: string, body: object | undefined): Promise<OperatorResponse> {
    const response = await request(`${this.origin}${path}`, {
      method: method as 'GET',
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: await response.body.json() };
  }
}
