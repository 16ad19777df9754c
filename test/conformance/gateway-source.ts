import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { systemStack } from '../stack/system-stack.js';

/**
 * Stands where the edge stands, for the first site, and gives each request a source of its own: the suite sends more in a
 * second than one anonymous source may in a minute.
 */
export class GatewaySource {
  private serial = 0;
  private readonly server: Server;

  constructor() {
    const { sites, services } = systemStack();
    const gateway = new URL(services.find(({ name }) => name === 'mcp-gateway')!.internal_url);
    const { host } = new URL(sites[0]!.base_url);
    this.server = createServer((incoming, answer) => {
      this.serial += 1;
      const headers = {
        ...incoming.headers,
        // A Host that is not ours is what the suite tests, so it stays.
        'x-forwarded-host': incoming.headers.host === new URL(this.url).host ? host : incoming.headers.host,
        'x-forwarded-proto': 'http',
        'x-forwarded-for': `203.0.${this.serial >> 8}.${this.serial & 255}`,
      };
      const { hostname, port } = gateway;
      const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (response) => {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      });
      outgoing.on('error', () => answer.destroy());
      answer.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    });
  }

  get url(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
