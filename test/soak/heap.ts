import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Variables with which a service lets its heap be collected from outside. The port is in its log. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** One collection frees objects with finalizers, the next one their memory. */
const COLLECTIONS = 3;

interface HeapUsage {
  readonly usedSize: number;
  /** Memory of buffers, outside of the heap. */
  readonly backingStorageSize?: number;
}

/** Bytes that a service keeps after a forced collection. */
export async function heapAfterCollection({ logFile }: { readonly logFile: string }): Promise<number> {
  const address = [...readFileSync(logFile, 'utf8').matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
  if (address === undefined) throw new Error(`${logFile} has no address of the inspector`);
  const socket = new WebSocket(address);
  await once(socket, 'open');
  let id = 0;
  const call = async (method: string): Promise<unknown> => {
    id += 1;
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [MessageEvent<string>];
      const response = JSON.parse(data) as { id?: number; result?: unknown; error?: object };
      if (response.error !== undefined) throw new Error(`${method}: ${JSON.stringify(response.error)}`);
      if (response.id === id) return response.result;
    }
  };
  try {
    for (let count = 0; count < COLLECTIONS; count += 1) await call('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = 0 } = (await call('Runtime.getHeapUsage')) as HeapUsage;
    return usedSize + backingStorageSize;
  } finally {
    socket.close();
  }
}
