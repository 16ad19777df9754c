import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A proxy to PostgreSQL that can be closed, and that can end a connection within a transaction. */
export interface DatabaseGate {
  /** The URL through the gate. */
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  shut(): void;
  open(): void;
  /**
   * Ends the connection behind the next statement with these words, like a backend that is terminated: PostgreSQL sends
   * an error and closes the connection. After a statement that commits, the error replaces its response. A prepared
   * statement has its text in its first use by a connection alone, and its name in all.
   */
  endAfter(words: string): void;
  /** Number of connections ended in this way. */
  readonly ended: number;
  close(): Promise<void>;
}

/** ReadyForQuery (PostgreSQL, 54.7), the end of a response: within a transaction, and outside of one. */
const READY_IN_TRANSACTION = Buffer.from([0x5a, 0, 0, 0, 5, 0x54]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function databaseGate(target: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isShut = false;
  let awaited: string | undefined;
  let ended = 0;
  const server = createServer((client) => {
    if (isShut) {
      client.destroy();
      return;
    }
    const database = connect(Number(port), hostname);
    let dies = false;
    client.on('data', (chunk) => {
      if (awaited !== undefined && chunk.includes(awaited)) {
        dies = true;
        awaited = undefined;
      }
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      const end = chunk.subarray(-READY.length);
      const isOpen = end.equals(READY_IN_TRANSACTION);
      if (!dies || !(isOpen || end.equals(READY))) {
        client.write(chunk);
        return;
      }
      ended += 1;
      client.end(isOpen ? Buffer.concat([chunk, terminated()]) : terminated());
      database.destroy();
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        // Pending writes must arrive.
        if (!other.writableEnded) other.destroy();
      });
    }
  })
    .listen(0, '127.0.0.1')
    // A failed test may leave it open.
    .unref();
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    shut() {
      isShut = true;
      breakAll();
    },
    open: () => void (isShut = false),
    endAfter: (words) => void (awaited = words),
    get ended() {
      return ended;
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** ErrorResponse: FATAL 57P01, which PostgreSQL sends before it ends a backend. */
function terminated(): Buffer {
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + Buffer.byteLength(fields));
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]);
}
