import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';

/** An address of a documentation network (RFC 5737). */
const SOURCE = '203.0.113.7';

/** Replaces the edge for one site: all requests have the same source, like those of a conformance suite. */
export class McpSource {
  readonly #server: Server;

  constructor({ gateway, host }: { readonly gateway: string; readonly host: string }) {
    const { hostname, port } = new URL(gateway);
    this.#server = createServer((incoming, reply) => {
      const headers = {
        ...incoming.headers,
        // The suite tests foreign Host headers, so they are forwarded.
        'x-forwarded-host': incoming.headers.host === new URL(this.url).host ? host : incoming.headers.host,
        'x-forwarded-proto': 'http',
        'x-forwarded-for': SOURCE,
      };
      const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (response) => {
        reply.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(reply);
      });
      outgoing.on('error', () => reply.destroy());
      reply.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    });
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
