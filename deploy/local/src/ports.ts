import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below the range from which the kernel takes ports for outgoing connections: one of those could not snatch it away. */
const LOWEST = 15_000;
const HIGHEST = 32_000;
const given = new Set<number>();

/** A TCP port of the loopback address that nobody listens on; never the same one twice in a process. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port) || !(await canListen(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`No free port found between ${LOWEST} and ${HIGHEST} on 127.0.0.1`);
}

export function canListen(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server: Server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
