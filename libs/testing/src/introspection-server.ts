import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Site } from '@lyceum/contracts';

export type IntrospectionResponse = (reply: ServerResponse, form: URLSearchParams) => void | Promise<void>;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/**
 * An RFC 7662 server under the test's control: it returns the test's responses, counts requests, and can stop and
 * restart on its port.
 */
export class IntrospectionServer {
  /** The form of each request, in order. */
  readonly requests: URLSearchParams[] = [];
  response: IntrospectionResponse = (reply) => respondJson(reply, { active: false });
  #server: Server | undefined;
  #port = 0;

  async start(): Promise<this> {
    const server = createServer((request, reply) => {
      void bodyOf(request).then(async (text) => {
        const form = new URLSearchParams(text);
        this.requests.push(form);
        await this.response(reply, form);
      });
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/api/oauth/introspect`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

export function respondJson(reply: ServerResponse, body: unknown, status = 200): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The person of `activeAt`. */
export const PERSON_ID = '0190a0b0-0000-7000-8000-0000000000aa';
export const MEMBER_ID = '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a';

/** auth's response for a valid token at the site. */
export function activeAt(site: Site, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    active: true,
    sub: MEMBER_ID,
    person_id: PERSON_ID,
    client_id: 'client',
    exp: Math.floor(Date.now() / 1000) + 3600,
    iat: Math.floor(Date.now() / 1000),
    iss: site.base_url,
    aud: site.base_url,
    scope: 'openid account:read',
    token_type: 'Bearer',
    grant_id: 'grant',
    org_id: site.org_id,
    audience: 'member',
    roles: change['audience'] === 'operator' ? ['owner'] : ['student'],
    ...change,
  };
}
