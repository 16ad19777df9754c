import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Upstream, Upstreams } from './upstreams.js';

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** Spreads connections over the ready replicas of a service, as a Service of Kubernetes does. */
export async function startBalancer(port: number, upstreams: Upstreams): Promise<Balancer> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on('close', () => open.delete(client)).on('error', () => client.destroy());
    void join(client, upstreams);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function join(client: Socket, upstreams: Upstreams): Promise<void> {
  for (const upstream of upstreams.inTurn()) {
    const replica = await connected(upstream);
    if (replica === undefined) {
      upstreams.refused(upstream);
      continue;
    }
    replica.on('error', () => replica.destroy());
    replica.on('close', () => client.destroySoon());
    client.on('close', () => replica.destroySoon());
    if (client.destroyed) replica.destroy();
    client.pipe(replica).pipe(client);
    return;
  }
  client.destroy();
}

/** Undefined when the replica does not accept the connection. */
async function connected({ url }: Upstream): Promise<Socket | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    socket.destroy();
    return undefined;
  }
}
