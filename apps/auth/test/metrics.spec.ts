import { MetricsRegistry } from '@lyceum/platform';
import { REVOCATION_REASONS } from '#src/audit/audit-entry.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const TOKEN_COUNTERS = {
  issued: 'auth_tokens_issued_total',
  refreshed: 'auth_tokens_refreshed_total',
  repeats: 'auth_refresh_repeats_total',
  refreshReplays: 'auth_refresh_replays_total',
  codeReplays: 'auth_code_replays_total',
};
const NOTHING = { issued: 0, refreshed: 0, repeats: 0, refreshReplays: 0, codeReplays: 0 };

describe('The metrics of tokens', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  const values = async (name: string) =>
    (await auth.app.get(MetricsRegistry).registry.getSingleMetric(name)?.get())?.values ?? [];
  async function counts(): Promise<Record<string, number>> {
    const entries = Object.entries(TOKEN_COUNTERS).map(async ([key, name]) => [key, (await values(name))[0]?.value]);
    return Object.fromEntries(await Promise.all(entries)) as Record<string, number>;
  }
  async function revocations(): Promise<Record<string, number>> {
    const series = await values('auth_revocations_total');
    return Object.fromEntries(series.map(({ labels, value }) => [labels['reason'], value]));
  }
  /** The increase of the counters during `work`: tokens, and revocations by cause. */
  async function added(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = { ...(await counts()), ...(await revocations()) } as Record<string, number>;
    await work();
    const after = Object.entries({ ...(await counts()), ...(await revocations()) });
    const changes = after.map(([key, value]) => [key, value - (before[key] ?? 0)] as const);
    return Object.fromEntries(changes.filter(([, change]) => change !== 0));
  }

  it('exposes all token counters at 0 from the start, with every revocation cause', async () => {
    expect(await counts()).toEqual(NOTHING);
    expect(await revocations()).toEqual(Object.fromEntries(REVOCATION_REASONS.map((reason) => [reason, 0])));
  });

  it('counts code exchanges, refreshes and repeats separately', async () => {
    let refresh_token = '';
    expect(await added(async () => ({ refresh_token } = await flow.tokens()))).toEqual({ issued: 1 });
    expect(await added(() => flow.refresh(refresh_token))).toEqual({ refreshed: 1 });
    expect(await added(() => flow.refresh(refresh_token))).toEqual({ refreshed: 1, repeats: 1 });
  });

  it('counts nothing for a refused request', async () => {
    expect(await added(() => flow.refresh('nonsense'))).toEqual({});
    expect(await added(() => flow.exchange('nonsense'))).toEqual({});
  });

  it('counts the replay of a refresh token after the window once per family', async () => {
    const { refresh_token } = await flow.tokens();
    await flow.refresh(refresh_token);
    await auth.sql(`UPDATE grants SET used_at = used_at - interval '61 seconds'`);
    const replay = () => flow.refresh(refresh_token);
    expect(await added(replay)).toEqual({ refreshReplays: 1, refresh_token_reused: 1 });
    expect(await added(replay)).toEqual({});
  });

  it('counts the replay of a code', async () => {
    const code = (await flow.callback()).get('code');
    await flow.exchange(code);
    expect(await added(() => flow.exchange(code))).toEqual({ codeReplays: 1, code_replayed: 1 });
  });

  it('counts the replay of an expired code, and ends its tokens', async () => {
    const code = (await flow.callback()).get('code');
    const { body } = await flow.exchange(code);
    await auth.sql(`UPDATE authorization_codes SET expires_at = now() - interval '23 hours'`);
    expect(await added(() => flow.exchange(code))).toEqual({ codeReplays: 1, code_replayed: 1 });
    expect(await flow.isActive(String(body['access_token']))).toBe(false);
  });

  it('counts a revocation by its cause, and not the second one of the same token', async () => {
    const { access_token } = await flow.tokens();
    const revoke = () => flow.post('/api/oauth/revoke', { token: access_token, client_id: 'first-member' });
    expect(await added(revoke)).toEqual({ revoked_by_client: 1 });
    expect(await added(revoke)).toEqual({});
  });

  it('includes the token counters in a scrape beside the table sizes', async () => {
    const text = await auth.app.get(MetricsRegistry).registry.metrics();
    for (const name of [...Object.values(TOKEN_COUNTERS), 'auth_revocations_total']) {
      expect(text).toContain(`# TYPE ${name} counter`);
    }
    expect(text).toMatch(/^auth_table_overdue_seconds\{table="access_tokens",service="auth"\} 0$/m);
  });

  it('includes the age of the oldest job of each queue in a scrape', async () => {
    const text = await auth.app.get(MetricsRegistry).registry.metrics();
    const queues = [...text.matchAll(/^jobs_oldest_seconds\{queue="([^"]+)"/gm)].map(([, queue = '']) => queue);
    expect(queues.toSorted()).toEqual(['client_logos', 'email_link_requests', 'mails', 'password_reset_requests']);
  });
});
