import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { OutboundNetwork } from '@lyceum/platform';
import { selfSigned } from '@lyceum/testing';

export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

export interface DocumentHost {
  /** Resolves every name to this host. Only tests permit its address. */
  readonly network: Pick<OutboundNetwork, keyof OutboundNetwork>;
  /** Requests so far, as `host path`. */
  readonly requests: string[];
  /** The response at a path; 404 without one. */
  serve(path: string, responder: Responder | object): void;
  /** Stops responding to connections until it is called with false. */
  down(is: boolean): void;
  stop(): Promise<void>;
}

/**
 * A host of client metadata documents on this machine, with TLS, for the names app.example, other.example and
 * claude.ai.
 */
export async function startDocumentHost(): Promise<DocumentHost> {
  const { key, cert } = selfSigned(['app.example', 'other.example', 'claude.ai']);
  const responses = new Map<string, Responder | object>();
  const requests: string[] = [];
  let isDown = false;
  const server = createServer({ key, cert }, (request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    const served = responses.get(request.url ?? '');
    if (isDown) return void request.socket.destroy();
    if (typeof served === 'function') return (served as Responder)(request, response);
    if (served === undefined) return void response.writeHead(404).end();
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(served));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    network: { resolve: () => Promise.resolve(['127.0.0.1']), permits: () => true, port, ca: cert },
    requests,
    serve: (path, responder) => void responses.set(path, responder),
    down: (is) => void (isDown = is),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
