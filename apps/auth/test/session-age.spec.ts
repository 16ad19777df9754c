import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const DAYS_90 = 90 * 86_400;
const HOUR = 3_600;

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

/** Simulates that the only session of the person began this many seconds earlier, and was used just now. */
const age = (seconds: number): Promise<unknown> =>
  auth.sql(
    `UPDATE sessions SET payload = payload || jsonb_build_object('loginTs', (payload ->> 'loginTs')::int - $1::int)
      WHERE person_id IS NOT NULL`,
    [seconds],
  );
const secondsLeft = async (): Promise<number> => {
  const [row] = await auth.sql<{ left: number }>(
    'SELECT extract(epoch FROM expires_at - now())::int AS left FROM sessions WHERE person_id IS NOT NULL',
  );
  return row?.left ?? -1;
};

describe('A session in continuous use', () => {
  it('ends a session 90 days after the sign-in despite continuous use', async () => {
    const flow = new Flow(auth);
    await flow.tokens();
    const silent = async (): Promise<string | null> =>
      (await flow.browser.open(flow.authorizationUrl({ prompt: 'none' }))).url.searchParams.get('error');
    expect(await secondsLeft()).toBeGreaterThan(LIFETIMES.session - HOUR);
    await age(DAYS_90 - HOUR);
    await silent();
    expect(await secondsLeft()).toBeLessThanOrEqual(HOUR);
    expect(await secondsLeft()).toBeGreaterThan(0);
    const page = await flow.browser.open('/account');
    expect(page.url.pathname).toBe('/account');
    await auth.sql('UPDATE sessions SET expires_at = expires_at - make_interval(secs => $1)', [HOUR]);
    expect(await silent()).toBe('login_required');
    expect((await flow.browser.open('/account')).url.pathname).toBe('/account/sign-in');
  });

  it('shows the last use of a session also near its end', async () => {
    await auth.sql('DELETE FROM sessions');
    const [one, other] = [new Flow(auth), new Flow(auth)];
    await other.tokens({}, 'owner');
    await age(DAYS_90 - HOUR);
    await other.browser.open(other.authorizationUrl({ prompt: 'none' }));
    const before = Date.now() - 60_000;
    const page = await one.signIn(await one.browser.open('/account'), 'owner');
    const [, shown = ''] = page.body.split('Another browser');
    const times = [...shown.matchAll(/<time datetime="([^"]+)"/g)].map(([, time = '']) => Date.parse(time));
    expect(times).toHaveLength(2);
    expect(times[1]).toBeGreaterThan(before);
  });
});
