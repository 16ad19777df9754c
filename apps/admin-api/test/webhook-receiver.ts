import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedWebhook {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Answers a delivery. */
type Responder = (response: ServerResponse) => void;

export const ACCEPT: Responder = (response) => void response.writeHead(204).end();

/** Receives webhooks on this machine, and answers as a test says. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Deliveries that are being answered, and the most of them at one time. */
  open = 0;
  most = 0;

  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
    private readonly answer: { with: Responder },
  ) {}

  static async start(responder: Responder = ACCEPT): Promise<WebhookReceiver> {
    const answer = { with: responder };
    const server = createServer((request, response) => {
      receiver.open += 1;
      receiver.most = Math.max(receiver.most, receiver.open);
      response.on('close', () => (receiver.open -= 1));
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.received.push({ headers: flat(request.headers), body: Buffer.concat(chunks).toString() });
        answer.with(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    const receiver = new WebhookReceiver(`http://127.0.0.1:${port}/hook`, stop, answer);
    return receiver;
  }

  respondWith(responder: Responder): void {
    this.answer.with = responder;
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
