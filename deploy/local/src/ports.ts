import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ephemeral range of the kernel, so that no outgoing connection takes such a port. */
const RANGE = { lowest: 15_000, highest: 31_999 } as const;

/**
 * A free TCP port of the loopback address, for a program that cannot choose its own. This process keeps the UDP port of
 * the same number until it ends, so neither it nor another process returns the port again before a server listens.
 */
export async function freePort({ lowest, highest }: { lowest: number; highest: number } = RANGE): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(lowest, highest + 1);
    if ((await canListen(port)) && (await claim(port))) return port;
  }
  throw new Error(`No free port found between ${lowest} and ${highest} on 127.0.0.1`);
}

/** True if no process has claimed the port. The kernel ends a claim with its process. */
function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}

export async function canListen(port: number): Promise<boolean> {
  return (await listenFault(port, '127.0.0.1')) === undefined;
}

/** The error code of a port that cannot be listened on (`EADDRINUSE`, `EACCES`, …), or undefined. */
export function listenFault(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
