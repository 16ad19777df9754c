import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Delivery {
  readonly isSigned: boolean;
  readonly body: string;
}

/** A receiver that keeps one secret, and checks each delivery as docs/webhooks.md says. */
export class WebhookReceiver {
  readonly #deliveries: Delivery[] = [];
  readonly #server: Server;
  #secret = '';

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        this.#deliveries.push({ isSigned: isSigned(this.#secret, request.headers, body), body });
        response.writeHead(204).end();
      });
    });
    // A receiver that a failed test left open does not keep the process.
    this.#server.unref();
  }

  /** `create` makes the endpoint of the URL, and returns its secret. */
  static async start(create: (url: string) => Promise<string>): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.#server.address() as AddressInfo;
    receiver.#secret = await create(`http://127.0.0.1:${port}/`);
    return receiver;
  }

  /** `valid` when the text was delivered and every delivery has a valid signature; undefined before it arrives. */
  signatures(containing: string): 'valid' | 'invalid' | undefined {
    if (!this.#deliveries.every((one) => one.isSigned)) return 'invalid';
    return this.#deliveries.some(({ body }) => body.includes(containing)) ? 'valid' : undefined;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures!.split(' ').some((signature) => {
    const given = Buffer.from(signature.slice('v1,'.length), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
