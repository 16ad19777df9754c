import { databaseGate, eventually } from '@lyceum/testing';
import type { DatabaseGate } from '@lyceum/testing';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import type { ApiResponse } from './flow.js';

describe('A database connection that fails inside a transaction', () => {
  let auth: TestAuth;
  let flow: Flow;
  let gate: DatabaseGate;

  beforeAll(async () => {
    auth = await startAuth({ through: async (url) => (gate = await databaseGate(url)).url });
    flow = new Flow(auth);
  });
  afterAll(async () => {
    await auth.stop();
    await gate.close();
  });

  const register = (): Promise<ApiResponse> =>
    flow.send('/api/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ client_name: 'A tool', redirect_uris: ['http://127.0.0.1:8400/callback'] }),
      headers: { 'content-type': 'application/json' },
    });

  it('returns 503 with Retry-After, rolls back, and serves the next request', async () => {
    gate.endAfter('INSERT INTO clients');
    const refused = await register();
    expect(gate.ended).toBe(1);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await register()).status).toBe(201);
    const kept = await auth.sql<{ count: number }>(`SELECT count(*)::int FROM clients WHERE name = 'A tool'`);
    expect(kept[0]?.count).toBe(1);
  });

  it.each([
    ['sign-in page', 'passkey_challenge_issue', () => flow.browser.open('/account/sign-in')],
    [
      'decision',
      'interaction_claim',
      async () => flow.decide(await flow.signIn(await flow.browser.open(flow.authorizationUrl())), 'approve'),
    ],
  ])('shows people a page with 503 in place of the response to a %s', async (_what, statement, open) => {
    const before = gate.ended;
    gate.endAfter(statement);
    const { status, body } = await open();
    expect([gate.ended, status]).toEqual([before + 1, 503]);
    expect(body).toMatch(/^<!doctype html>[^]*<h1>This request cannot be completed<\/h1>[^]*Try again in a moment/);
  });

  it('says to people and to programs when to try again', async () => {
    for (const [accept, type] of [
      ['text/html', 'text/html; charset=utf-8'],
      ['*/*', 'application/json; charset=utf-8'],
    ] as const) {
      gate.endAfter('passkey_challenge_issue');
      const { status, headers } = await flow.send('/account/sign-in', { headers: { accept } });
      expect([status, headers.get('content-type'), headers.get('retry-after')]).toEqual([503, type, '1']);
    }
  });

  it('returns the tokens of a code when the use of the client cannot be recorded', async () => {
    const code = (await flow.callback()).get('code');
    const before = gate.ended;
    gate.endAfter('UPDATE clients SET last_used_at');
    const { status, body } = await flow.exchange(code);
    expect(status).toBe(200);
    await eventually(
      () => gate.ended,
      (ended) => ended === before + 1,
    );
    expect((await flow.refresh(String(body['refresh_token']))).status).toBe(200);
  });
});
