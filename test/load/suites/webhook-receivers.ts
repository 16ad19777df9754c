import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const PATIENCE_MS = 20_000;
/** One second before the time limit of an attempt. */
const SLOW_MS = 14_000;
const HUGE = Buffer.alloc(10 * 1024 * 1024, 'a');
/** The log stores it. */
const ANSWER = JSON.stringify({ received: true, note: 'a'.repeat(1_000) });

/** Receivers of webhooks on this machine. Their paths say how they answer. */
export class WebhookReceivers {
  /** When the first delivery about each object arrived. */
  readonly #arrivals = new Map<string, number>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const { object_id } = JSON.parse(body) as { object_id: string };
        if (!this.#arrivals.has(object_id)) this.#arrivals.set(object_id, performance.now());
        answer(request.url, response);
      });
    });
  }

  static async start(): Promise<WebhookReceivers> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebhookReceivers(server);
  }

  url(name: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${name}`;
  }

  /** Waits for the first delivery about an object, and returns the time of its arrival. */
  async arrival(object_id: string): Promise<number> {
    for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
      const at = this.#arrivals.get(object_id);
      if (at !== undefined) return at;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error(`No webhook about ${object_id} within ${PATIENCE_MS} ms`);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function answer(url: string | undefined, response: ServerResponse): void {
  if (url === '/dead') return;
  response.on('error', () => undefined);
  if (url === '/slow') setTimeout(() => response.end(), SLOW_MS).unref();
  else response.writeHead(200).end(url === '/huge' ? HUGE : ANSWER);
}
