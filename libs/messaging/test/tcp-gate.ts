import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';

/** A TCP proxy that can be shut: what stands behind it is then unreachable, and nothing else is disturbed. */
export interface TcpGate {
  /** The URL, by way of the gate. */
  readonly url: string;
  /** Breaks all connections and refuses new ones. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function tcpGate(target: string): Promise<TcpGate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let shut = false;
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    if (shut) inner.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    shut() {
      shut = true;
      breakAll();
    },
    open: () => void (shut = false),
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
