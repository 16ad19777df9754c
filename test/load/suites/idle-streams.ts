import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMemory } from '../processes.ts';
import type { LoadRequest } from '../suite.ts';

/** Opened at a time. */
const ABREAST = 50;

export interface Streams {
  readonly origin: string;
  readonly pid: number;
  /** Callers, each with one stream. */
  readonly requests: readonly LoadRequest[];
  /** The pause before each measurement. */
  readonly settlingMs: number;
}

/** Growth of the process in megabytes while the streams are open and silent. */
export async function memoryOfStreams({ origin, pid, requests, settlingMs }: Streams): Promise<number> {
  await sleep(settlingMs);
  const before = residentMemory(pid) ?? 0;
  const open: ClientRequest[] = [];
  try {
    for (let at = 0; at < requests.length; at += ABREAST)
      open.push(...(await Promise.all(requests.slice(at, at + ABREAST).map((one) => openStream(origin, one)))));
    await sleep(settlingMs);
    return ((residentMemory(pid) ?? 0) - before) / 1024 ** 2;
  } finally {
    for (const stream of open) stream.destroy();
  }
}

/** Resolves with the first event. */
function openStream(origin: string, { method, path, headers, body }: LoadRequest): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, origin), { method, headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`No stream but ${response.statusCode}`));
      response.once('data', () => resolve(sent));
      // The benchmark ended it.
      response.on('error', () => undefined);
    });
    sent.end(body);
  });
}
