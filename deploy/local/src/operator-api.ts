import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import type { Role } from '@lyceum/contracts';
import type { DemoClient } from './demo-clients.js';
import type { DemoSite } from './demo.js';
import { mintToken } from './mint-token.js';

const PATIENCE_MS = 20_000;
const PAUSE_MS = 100;

/** An answer to the call of a tool. */
const answer = z.object({ result: z.looseObject({ isError: z.boolean().optional(), structuredContent: z.unknown() }) });

export interface OperatorResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The operator API of a site for a program of the school. */
export class OperatorApi {
  private writes = 0;

  private constructor(
    private readonly origin: string,
    private readonly tokens: readonly string[],
    private readonly client: DemoClient,
  ) {}

  /** A person of each role signs in and approves the scopes of the client. Their writes alternate. */
  static async open(
    { base_url, people }: Pick<DemoSite, 'base_url' | 'people'>,
    client: DemoClient,
    roles: readonly Role[],
  ): Promise<OperatorApi> {
    const { client_id, client_secret, redirect_uris } = client;
    const signIn = async (role: Role): Promise<string> => {
      const person = people.find((one) => one.roles.includes(role));
      if (person === undefined) throw new Error(`${base_url} has no ${role}`);
      const { access_token } = await mintToken({
        site: { base_url },
        email: person.email,
        password: person.password,
        client_id,
        ...(client_secret === undefined ? {} : { client_secret }),
        redirect_uris,
        scope: client.scopes.join(' '),
      });
      return access_token;
    };
    return new OperatorApi(base_url, await Promise.all(roles.map(signIn)), client);
  }

  /** The same API for the first person alone. */
  ofFirst(): OperatorApi {
    return new OperatorApi(this.origin, this.tokens.slice(0, 1), this.client);
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
    return this.whileUnavailable(method, path, async () => {
      const { status, text } = await this.exchange(method, path, body);
      return { status, body: JSON.parse(text) as unknown, isExpected: status < 300 || expected.includes(status) };
    });
  }

  /** Calls a tool of the site, and repeats the call as `send` does. @throws when the tool refuses. */
  async call(name: string, args: object): Promise<unknown> {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const called = await this.whileUnavailable('POST', '/mcp', async () => {
      const { status, text } = await this.exchange('POST', '/mcp', body);
      const [, event = text] = /^data: (.*)$/m.exec(text) ?? [];
      const { data } = answer.safeParse(JSON.parse(event));
      // A gateway that has just started may not know the tool.
      if (data === undefined) return { status: 503, body: event, isExpected: false };
      return { status, body: data.result.structuredContent ?? event, isExpected: data.result.isError !== true };
    });
    return called.body;
  }

  /** Ends the tokens. */
  async close(): Promise<void> {
    await Promise.all(this.tokens.map((token) => this.revoke(token)));
  }

  private async whileUnavailable(
    method: string,
    path: string,
    attempt: () => Promise<OperatorResponse & { readonly isExpected: boolean }>,
  ): Promise<OperatorResponse> {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
      const { isExpected, ...response } = await attempt();
      if (response.status === 503 && Date.now() < until) continue;
      if (isExpected) return response;
      throw new Error(`${method} ${this.origin}${path}: ${response.status} ${JSON.stringify(response.body)}`);
    }
  }

  private async revoke(token: string): Promise<void> {
    const { client_id, client_secret = '' } = this.client;
    const form = new URLSearchParams({ token, client_id, client_secret });
    const response = await request(`${this.origin}/api/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    await response.body.dump();
    if (response.statusCode !== 200)
      throw new Error(`The token of ${client_id} was not revoked: ${response.statusCode}`);
  }

  private async exchange(
    method: string,
    path: string,
    body: object | undefined,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const token = this.tokens[method === 'GET' ? 0 : this.writes++ % this.tokens.length];
    const response = await request(`${this.origin}${path}`, {
      method: method as 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.statusCode, text: await response.body.text() };
  }
}
