import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Platform } from './platform.module.js';

export interface ManagementServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * The internal listener, separate from the surface so that it is never public: `/livez` (depends on the event loop
 * alone, because a database outage must not restart pods), `/readyz`, `/metrics`.
 */
export async function startManagement(
  listen: { host: string; port: number },
  sources: Pick<Platform, 'health' | 'metrics'>,
): Promise<ManagementServer> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    answer(request, response, sources).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(listen.port, listen.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { health, metrics }: Pick<Platform, 'health' | 'metrics'>,
): Promise<void> {
  const path = request.url?.split('?', 1)[0];
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
  } else if (path === '/livez') {
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end('alive\n');
  } else if (path === '/readyz') {
    const readiness = await health.readiness();
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    response.writeHead(readiness.ready ? 200 : 503, headers).end(`${JSON.stringify(readiness)}\n`);
  } else if (path === '/metrics') {
    response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(await metrics.registry.metrics());
  } else {
    response.writeHead(404).end();
  }
}
