import { SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('Refreshing', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  /** Simulates that all tokens were used this long ago. */
  const pass = (seconds: number) =>
    auth.sql('UPDATE grants SET used_at = used_at - make_interval(secs => $1)', [seconds]);
  const refreshed = async (token: string): Promise<{ access_token: string; refresh_token: string }> => {
    const { status, body } = await flow.refresh(token);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { access_token: String(body['access_token']), refresh_token: String(body['refresh_token']) };
  };
  const revocations = async (reason: string): Promise<number> => {
    const text = `SELECT count(*)::int AS n FROM audit_log WHERE event = 'grants.revoked' AND details->>'reason' = $1`;
    const [row] = await auth.sql<{ n: number }>(text, [reason]);
    return row?.n ?? 0;
  };

  it('issues a new pair at every refresh, and keeps earlier access tokens valid', async () => {
    const first = await flow.tokens();
    const second = await refreshed(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await flow.isActive(first.access_token)).toBe(true);
    expect(await flow.isActive(second.access_token)).toBe(true);
  });

  it('issues a valid pair of the same family when a just-rotated token is repeated within a minute', async () => {
    const { refresh_token } = await flow.tokens();
    const [lost, kept] = [await refreshed(refresh_token), await refreshed(refresh_token)];
    const facts = await Promise.all([lost, kept].map(({ access_token }) => flow.introspect(access_token)));
    const [one, other] = facts.map(({ body }) => body);
    expect([one?.['active'], other?.['active']]).toEqual([true, true]);
    expect(one?.['grant_id']).toBe(other?.['grant_id']);
    await refreshed(kept.refresh_token);
    expect(await flow.isActive(lost.access_token)).toBe(true);
  });

  it('writes no audit entry for a refresh', async () => {
    const written = () => auth.sql<{ event: string }>(`SELECT event FROM audit_log WHERE event LIKE 'token.%'`);
    const { refresh_token } = await new Flow(auth).tokens();
    const before = await written();
    await refreshed((await refreshed(refresh_token)).refresh_token);
    expect(await written()).toEqual(before);
    expect(before).toContainEqual({ event: 'token.issued' });
  });

  it('audits a repeated refresh', async () => {
    const [before] = await auth.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM audit_log WHERE event = 'token.refresh_repeated'`,
    );
    const { refresh_token } = await flow.tokens();
    await refreshed(refresh_token);
    await refreshed(refresh_token);
    const [after] = await auth.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM audit_log WHERE event = 'token.refresh_repeated'`,
    );
    expect(after?.n).toBe((before?.n ?? 0) + 1);
  });

  it('revokes the family when a rotated token is used after the minute', async () => {
    const stolen = await flow.tokens();
    const current = await refreshed(stolen.refresh_token);
    const before = await revocations('refresh_token_reused');
    await pass(61);
    const { status, body } = await flow.refresh(stolen.refresh_token);
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    expect(await flow.isActive(current.access_token)).toBe(false);
    expect((await flow.refresh(current.refresh_token)).body['error']).toBe('invalid_grant');
    expect(await revocations('refresh_token_reused')).toBe(before + 1);
  });

  it('accepts a rotated token one second before the end of the minute', async () => {
    const { refresh_token } = await flow.tokens();
    await refreshed(refresh_token);
    await pass(58);
    expect((await flow.refresh(refresh_token)).status).toBe(200);
  });

  it('revokes the family at once when the successor was used, because no response was lost', async () => {
    const first = await flow.tokens();
    const second = await refreshed(first.refresh_token);
    const third = await refreshed(second.refresh_token);
    expect((await flow.refresh(first.refresh_token)).body['error']).toBe('invalid_grant');
    expect(await flow.isActive(third.access_token)).toBe(false);
  });

  it('revokes the family when a token is used after its sibling', async () => {
    const { refresh_token } = await flow.tokens();
    const [thiefs, owners] = [await refreshed(refresh_token), await refreshed(refresh_token)];
    const next = await refreshed(owners.refresh_token);
    const client = { client_id: 'first-member' };
    expect((await flow.introspect(thiefs.refresh_token, client)).body).toEqual({ active: false });
    expect((await flow.introspect(next.refresh_token, client)).body['active']).toBe(true);
    const before = await revocations('refresh_token_reused');
    const { status, body } = await flow.refresh(thiefs.refresh_token);
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    expect(await revocations('refresh_token_reused')).toBe(before + 1);
    for (const { access_token } of [thiefs, owners, next]) expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.refresh(next.refresh_token)).body['error']).toBe('invalid_grant');
  });

  it('accepts one of two concurrent siblings', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { refresh_token } = await flow.tokens();
      const siblings = [await refreshed(refresh_token), await refreshed(refresh_token)];
      const responses = await Promise.all(siblings.map((one) => flow.refresh(one.refresh_token)));
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    }
  });

  it('keeps one live branch when a repeat and the use of its successor race', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { refresh_token } = await flow.tokens();
      const successor = await refreshed(refresh_token);
      const responses = await Promise.all([flow.refresh(refresh_token), flow.refresh(successor.refresh_token)]);
      const given = responses.filter(({ status }) => status === 200).map(({ body }) => String(body['refresh_token']));
      let living = 0;
      for (const token of given) living += (await flow.refresh(token)).status === 200 ? 1 : 0;
      expect(living).toBeLessThanOrEqual(1);
    }
  });

  it('repeats one token three times, refuses the fourth, and keeps the family', async () => {
    const { refresh_token } = await flow.tokens();
    await refreshed(refresh_token);
    let last = '';
    for (let repeat = 0; repeat < 3; repeat += 1) last = (await refreshed(refresh_token)).refresh_token;
    const { status, body } = await flow.refresh(refresh_token);
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    expect((await flow.refresh(last)).status).toBe(200);
  });

  it('keeps a working family through twelve concurrent refreshes', async () => {
    const { refresh_token } = await flow.tokens();
    const responses = await Promise.all(Array.from({ length: 12 }, () => flow.refresh(refresh_token)));
    const given = responses.filter(({ status }) => status === 200);
    // One refresh and three repeats.
    expect(given).toHaveLength(4);
    const last = given.at(-1)?.body ?? {};
    expect(await flow.isActive(String(last['access_token']))).toBe(true);
    expect((await flow.refresh(String(last['refresh_token']))).status).toBe(200);
  });

  it('extends a refresh token by thirty days, up to 180 days from the first', async () => {
    const { refresh_token } = await flow.tokens();
    await auth.sql(`UPDATE refresh_tokens SET payload = payload || jsonb_build_object('iiat', $1::int)`, [
      Math.floor(Date.now() / 1000) - 179 * 86_400,
    ]);
    await refreshed(refresh_token);
    const [row] = await auth.sql<{ days: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days
         FROM refresh_tokens WHERE rotation = 1 ORDER BY expires_at LIMIT 1`,
    );
    expect(row?.days).toBe(1);
  });

  it('refuses an expired token, one of another client, and a malformed one', async () => {
    const { refresh_token } = await flow.tokens();
    expect((await flow.refresh(refresh_token, { client_id: 'first-operator' })).body['error']).toBe('invalid_grant');
    expect((await flow.refresh('nonsense')).body['error']).toBe('invalid_grant');
    await auth.sql('UPDATE refresh_tokens SET expires_at = now()');
    expect((await flow.refresh(refresh_token)).body['error']).toBe('invalid_grant');
  });

  it('requires the secret of a confidential client', async () => {
    const client = { client_id: 'first-member-server', client_secret: SECRET };
    const { refresh_token } = await new Flow(auth).tokens(client);
    const without = await flow.refresh(refresh_token, { client_id: client.client_id });
    expect([without.status, without.body['error']]).toEqual([401, 'invalid_client']);
    expect(without.body['error_description']).toContain('has to send client_secret in the form');
    const wrong = await flow.refresh(refresh_token, { ...client, client_secret: `${SECRET}x` });
    expect([wrong.status, wrong.body['error']]).toEqual([401, 'invalid_client']);
    expect((await flow.refresh(refresh_token, client)).status).toBe(200);
  });

  it('refuses a refresh token of another site', async () => {
    const { refresh_token } = await flow.tokens();
    const elsewhere = new Flow(auth, auth.other);
    const { status, body } = await elsewhere.refresh(refresh_token, { client_id: 'second-member' });
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    expect((await flow.refresh(refresh_token)).status).toBe(200);
  });
});

describe('Refreshing without a reuse window', () => {
  it('lets one of several concurrent refreshes win, and ends the family by the others', async () => {
    const auth = await startAuth({ environment: { REFRESH_REPEAT_SECONDS: '0' } });
    try {
      const flow = new Flow(auth);
      const { refresh_token } = await flow.tokens();
      const responses = await Promise.all(Array.from({ length: 6 }, () => flow.refresh(refresh_token)));
      const winners = responses.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      const { access_token, refresh_token: next } = winners[0]!.body;
      expect(await flow.isActive(String(access_token))).toBe(false);
      expect((await flow.refresh(String(next))).body['error']).toBe('invalid_grant');
    } finally {
      await auth.stop();
    }
  });
});
