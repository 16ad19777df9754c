import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real S3 server with a bucket, which can stop to respond. */
export interface S3Server {
  /** The variables of a service that stores files there. */
  readonly environment: {
    readonly S3_ENDPOINT: string;
    readonly S3_BUCKET: string;
    readonly S3_ACCESS_KEY_ID: string;
    readonly S3_SECRET_ACCESS_KEY: string;
  };
  /** Closes all connections and refuses new ones. */
  shut(): void;
  /** Accepts requests, and responds to none. */
  hang(): void;
  /** Ends `shut` and `hang`. */
  open(): void;
  stop(): Promise<void>;
}

interface S3rver {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}
interface S3rverModule {
  readonly default: new (options: object) => S3rver;
}

const ADDRESS = '127.0.0.1';
const BUCKET = 'school-files';
/** The key of the account that s3rver knows, and its secret. */
const KEY = 'S3RVER';

export async function startS3Server(): Promise<S3Server> {
  // @ts-expect-error The package has no types.
  const { default: S3rver } = (await import('@20minutes/s3rver')) as S3rverModule;
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const server = new S3rver({
    port: 0,
    address: ADDRESS,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  let state: 'open' | 'shut' | 'hangs' = 'open';
  const sockets = new Set<Socket>();
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  const gate = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined).on('close', () => sockets.delete(client));
    if (state === 'shut') client.destroy();
    if (state !== 'open') return;
    const store = connect(port, ADDRESS);
    store.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => store.destroy());
    client.pipe(store).pipe(client);
  }).listen(0, ADDRESS);
  await once(gate, 'listening');
  const enter = (next: typeof state) => (): void => {
    state = next;
    breakAll();
  };
  return {
    environment: {
      S3_ENDPOINT: `http://${ADDRESS}:${(gate.address() as AddressInfo).port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: KEY,
    },
    shut: enter('shut'),
    hang: enter('hangs'),
    open: enter('open'),
    stop: async () => {
      gate.close();
      breakAll();
      await Promise.all([once(gate, 'close'), server.close()]);
      await rm(directory, { recursive: true });
    },
  };
}
