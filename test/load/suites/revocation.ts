import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, exchange } from '../exchange.ts';
import type { LoadRequest } from '../suite.ts';

/** Longer than a resource server caches an introspection result without revocation broadcasts. */
const PATIENCE = 10_000;
const PAUSE = 10;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface Revoking {
  readonly auth: string;
  readonly resourceServer: string;
  readonly host: string;
  readonly clientId: string;
  readonly tokens: readonly string[];
}

/**
 * Milliseconds from sending a revocation to the first 401 of a resource server that had just accepted the token,
 * and so has a cached introspection result. Requests continue during the revocation.
 */
export async function revocationDelays(revoking: Revoking): Promise<number[]> {
  const { tokens } = revoking;
  const delays: number[] = [];
  for (const token of tokens) delays.push(await delayOf(token, revoking));
  return delays;
}

/** For delays of seconds: polls all tokens in parallel. */
export function revocationDelaysAtOnce(revoking: Revoking): Promise<number[]> {
  return Promise.all(revoking.tokens.map((token) => delayOf(token, revoking, PAUSE)));
}

/** Suspends the process during the work; its connections stay open. */
export async function whileFrozen<T>(pid: number, work: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function delayOf(token: string, { auth, resourceServer, host, clientId }: Revoking, pause = 0): Promise<number> {
  const use = (): Promise<ApiResponse> => exchange(resourceServer, viewer(host, token));
  for (let time = 0; time < 2; time++) expectStatus(200, await use());
  const began = performance.now();
  const revocation = exchange(auth, {
    method: 'POST',
    path: '/api/oauth/revoke',
    headers: { host, ...FORM },
    body: `token=${token}&client_id=${clientId}`,
  });
  const [delay, response] = await Promise.all([untilRefused(use, began, pause), revocation]);
  expectStatus(200, response);
  return delay;
}

async function untilRefused(use: () => Promise<ApiResponse>, began: number, pause: number): Promise<number> {
  while (performance.now() - began < PATIENCE) {
    const response = await use();
    if (response.status === 401) return performance.now() - began;
    expectStatus(200, response);
    if (pause > 0) await sleep(pause);
  }
  throw new Error('A revoked token was still good after ten seconds');
}

function viewer(host: string, token: string): LoadRequest {
  return {
    method: 'POST',
    path: '/member/graphql',
    headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"query":"{ viewer { id } }"}',
  };
}

function expectStatus(status: number, response: ApiResponse): void {
  if (response.status !== status || response.body.includes('"errors"'))
    throw new Error(`${response.status} instead of ${status}: ${response.body.slice(0, 500)}`);
}
