import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../exchange.ts';
import type { LoadRequest } from '../suite.ts';

const CONNECTIONS = 16;

/**
 * Milliseconds of each request at half the capacity of the server. Requests come at an even pace, independent of
 * earlier responses, so a pause of the server shows in all requests that wait for it.
 */
export async function delaysAtHalfLoad(
  origin: string,
  requests: readonly LoadRequest[],
  { calibrationMs, measuredMs }: { readonly calibrationMs: number; readonly measuredMs: number },
): Promise<number[]> {
  let next = 0;
  const request = async (): Promise<void> => {
    const { status, body } = await exchange(origin, requests[next++ % requests.length]!);
    if (status !== 200) throw new Error(`${status}: ${body.slice(0, 500)}`);
  };
  const perMillisecond = (await mostOf(request, calibrationMs)) / 2;
  const delays: Promise<number>[] = [];
  const began = performance.now();
  for (let now = began; now - began < measuredMs; now = performance.now()) {
    const due = Math.floor((now - began) * perMillisecond);
    while (delays.length < due) {
      const intended = began + delays.length / perMillisecond;
      delays.push(request().then(() => performance.now() - intended));
    }
    await sleep(1);
  }
  return Promise.all(delays);
}

/** Requests per millisecond when each connection sends the next request after each response. */
async function mostOf(request: () => Promise<void>, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  let completed = 0;
  const connection = async (): Promise<void> => {
    for (; performance.now() < until; completed++) await request();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return completed / milliseconds;
}
