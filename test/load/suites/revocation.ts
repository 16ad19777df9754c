import { type Answer, exchange } from '../exchange.ts';
import type { LoadRequest } from '../suite.ts';

/** Longer than a resource server keeps a verdict when nobody tells it of revocations. */
const PATIENCE = 10_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface Revoking {
  readonly auth: string;
  readonly resourceServer: string;
  readonly host: string;
  readonly clientId: string;
  readonly tokens: readonly string[];
}

/**
 * Milliseconds from sending a revocation to the first answer 401 of a resource server that had just let the token in,
 * and so keeps its verdict. It is asked all the time, also while the revocation is under way.
 */
export async function revocationDelays({ auth, resourceServer, host, clientId, tokens }: Revoking): Promise<number[]> {
  const delays: number[] = [];
  for (const token of tokens) {
    const use = (): Promise<Answer> => exchange(resourceServer, viewer(host, token));
    for (let time = 0; time < 2; time++) expectStatus(200, await use());
    const began = performance.now();
    const revocation = exchange(auth, {
      method: 'POST',
      path: '/api/oauth/revoke',
      headers: { host, ...FORM },
      body: `token=${token}&client_id=${clientId}`,
    });
    const [delay, answer] = await Promise.all([untilRefused(use, began), revocation]);
    expectStatus(200, answer);
    delays.push(delay);
  }
  return delays;
}

async function untilRefused(use: () => Promise<Answer>, began: number): Promise<number> {
  while (performance.now() - began < PATIENCE) {
    const answer = await use();
    if (answer.status === 401) return performance.now() - began;
    expectStatus(200, answer);
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

function expectStatus(status: number, answer: Answer): void {
  if (answer.status !== status || answer.body.includes('"errors"'))
    throw new Error(`${answer.status} instead of ${status}: ${answer.body.slice(0, 500)}`);
}
