import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral range of the kernel, so that no outgoing connection takes such a port. */
const LOWEST = 15_000;
const HIGHEST = 32_000;
const given = new Set<number>();

/** A free TCP port of the loopback address; never the same one twice in a process. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port) || !(await canListen(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`No free port found between ${LOWEST} and ${HIGHEST} on 127.0.0.1`);
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
