import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { DOUBLE_CLICKS, Flow } from './flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(() => auth.sql('DELETE FROM sessions'));
afterAll(() => auth.stop());

/** A browser of a new person, and its session. */
async function signedIn(name: string, site: TestSite = auth.site): Promise<{ flow: Flow; page: Page; uid: string }> {
  const flow = new Flow(auth, site);
  const page = await flow.signIn(await flow.browser.open('/account'), name);
  return { flow, page, uid: sessionsIn(page)[0] ?? '' };
}

/** The sessions on the page, from the top. */
const sessionsIn = ({ body }: Page): string[] =>
  postForms(body).flatMap(({ action, fields }) =>
    action.endsWith('/end-session') ? [fields.get('session') ?? 'none'] : [],
  );
/** The names of the sessions, from the top. */
const namesIn = ({ body }: Page): string[] =>
  [...body.matchAll(/<h3 id="session-[^"]+">([^<]+)<\/h3>/g)].map(([, name = '']) => name);
const csrfIn = ({ body }: Page): string => /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '';
const at = async (flow: Flow): Promise<string> => (await flow.browser.open('/account')).url.pathname;
const end = ({ flow, page }: { flow: Flow; page: Page }, session: string) =>
  flow.post('/account/end-session', { csrf: csrfIn(page), session }, { cookie: flow.browser.cookiesFor('/account') });
const audited = async (): Promise<number> => {
  const rows = await auth.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM audit_log WHERE event = 'session.ended' AND site_id = $1 AND person_id IS NOT NULL`,
    [auth.site.site_id],
  );
  return rows[0]?.n ?? 0;
};

describe('The sessions on the account page', () => {
  it('lists the browsers of the person at this site, the current one first, and no others', async () => {
    const [one, other] = [await signedIn('both'), await signedIn('both')];
    await signedIn('student');
    await signedIn('both', auth.other);
    const page = await one.flow.browser.open('/account');
    expect(sessionsIn(page)).toEqual([one.uid, other.uid]);
    expect(namesIn(page)).toEqual(['This browser', 'Another browser']);
    expect(sessionsIn(await other.flow.browser.open('/account'))).toEqual([other.uid, one.uid]);
  });

  it('shows the time of the sign-in and of a later authorization', async () => {
    const [one, other] = [await signedIn('student'), await signedIn('student')];
    const began = Math.floor(Date.now() / 1000) - 7_200;
    const shownAfter = async (seconds: number): Promise<string[]> => {
      await auth.sql(
        `UPDATE sessions SET payload = jsonb_set(payload, '{loginTs}', to_jsonb($2::int)), expires_at = to_timestamp($3)
          WHERE uid = $1`,
        [other.uid, began, began + seconds + LIFETIMES.session],
      );
      const [, shown = ''] = (await one.flow.browser.open('/account')).body.split('Another browser');
      return [...shown.matchAll(/<time datetime="([^"]+)"/g)].map(([, time = '']) => time);
    };
    const iso = (seconds: number): string => new Date((began + seconds) * 1000).toISOString();
    expect(await shownAfter(3_600)).toEqual([iso(0), iso(3_600)]);
    expect(await shownAfter(60)).toEqual([iso(0), iso(60)]);
    expect(await shownAfter(59)).toEqual([iso(0)]);
  });

  it('names the browser and the system of each sign-in, at the account and by an application', async () => {
    const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';
    const windows = `Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0 ${'x'.repeat(2_000)}`;
    const linux = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0<script>';
    const browserOf = (agent: string): Flow => new Flow(auth, auth.site, undefined, { 'user-agent': agent });
    const one = browserOf(mac);
    const page = await one.signIn(await one.browser.open('/account'), 'student');
    expect(page.body).toContain('Chrome on macOS. Signed in');
    await browserOf(windows).callback();
    const third = browserOf(linux);
    await third.signIn(await third.browser.open('/account'), 'student');
    const shown = await one.browser.open('/account');
    expect(namesIn(shown).toSorted()).toEqual(['Firefox on Linux', 'Firefox on Windows', 'This browser']);
    expect(shown.body).not.toContain('<script>');
  });

  it('records the use of a session by the account page, once an hour', async () => {
    const { flow, uid } = await signedIn('student');
    const usedAt = async (): Promise<number> => {
      const rows = await auth.sql<{ used: number }>(
        `SELECT (payload ->> 'usedTs')::int AS used FROM sessions WHERE uid = $1`,
        [uid],
      );
      return rows[0]?.used ?? 0;
    };
    const set = (seconds: number) =>
      auth.sql(`UPDATE sessions SET payload = jsonb_set(payload, '{usedTs}', to_jsonb($2::int)) WHERE uid = $1`, [
        uid,
        seconds,
      ]);
    const now = Math.floor(Date.now() / 1000);
    await set(now - 3_500);
    await flow.browser.open('/account');
    expect(await usedAt()).toBe(now - 3_500);
    await set(now - 3_700);
    await flow.browser.open('/account');
    expect(await usedAt()).toBeGreaterThanOrEqual(now);
  });

  it('does not list expired sessions', async () => {
    const [one, other] = [await signedIn('student'), await signedIn('student')];
    await auth.sql('UPDATE sessions SET expires_at = now() WHERE uid = $1', [other.uid]);
    expect(sessionsIn(await one.flow.browser.open('/account'))).toEqual([one.uid]);
  });

  it('ends the session of one browser, and keeps the others and their grants', async () => {
    const one = await signedIn('student');
    const other = new Flow(auth);
    const { access_token, refresh_token } = await other.tokens();
    const third = await signedIn('student');
    const page = await one.flow.browser.open('/account');
    const ended = sessionsIn(page).find((uid) => uid !== one.uid && uid !== third.uid) ?? '';
    const before = await audited();
    const response = await end(one, ended);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/account']);
    expect(await at(other)).toBe('/account/sign-in');
    expect([await at(one.flow), await at(third.flow)]).toEqual(['/account', '/account']);
    expect(await other.isActive(access_token)).toBe(true);
    expect((await other.refresh(refresh_token)).status).toBe(200);
    expect(await audited()).toBe(before + 1);
  });

  it('signs out when the current session is ended', async () => {
    const [one, other] = [await signedIn('student'), await signedIn('student')];
    const response = await end(one, one.uid);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/account/sign-in']);
    expect(response.headers.getSetCookie().join()).toMatch(/^lyceum=; .*expires=Thu, 01 Jan 1970/i);
    expect([await at(one.flow), await at(other.flow)]).toEqual(['/account/sign-in', '/account']);
  });

  it('returns 404 for the session of another person, as for an unknown one', async () => {
    const [attacker, victim, elsewhere] = [
      await signedIn('both'),
      await signedIn('student'),
      await signedIn('both', auth.other),
    ];
    const over = await signedIn('both');
    await end(over, over.uid);
    const before = await audited();
    const responses = [];
    for (const uid of ['unknown', '', victim.uid, elsewhere.uid, over.uid]) {
      const { status, headers, body } = await end(attacker, uid);
      const { date: _, 'x-request-id': __, ...rest } = Object.fromEntries(headers);
      responses.push({ status, body, rest });
    }
    expect(responses[0]).toMatchObject({ status: 303, rest: { location: '/account' } });
    for (const response of responses) expect(response).toEqual(responses[0]);
    for (const { flow } of [attacker, victim, elsewhere]) expect(await at(flow)).toBe('/account');
    expect(await audited()).toBe(before);
  });

  it('ends a session only by a form of the same session', async () => {
    const [one, other] = [await signedIn('student'), await signedIn('student')];
    for (const page of [other.page, { ...one.page, body: '' }]) {
      expect((await end({ flow: one.flow, page }, other.uid)).status).toBe(403);
    }
    const cookie = one.flow.browser.cookiesFor('/account');
    const sent = { csrf: csrfIn(one.page), session: other.uid };
    const foreign = await one.flow.post('/account/end-session', sent, { cookie, origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect(await at(other.flow)).toBe('/account');
  });
});

describe('A sign-out whose button is clicked twice', () => {
  it.each(
    DOUBLE_CLICKS.flatMap((when) => [
      ['/account/sign-out-everywhere', 'where', 'You are signed out everywhere', when] as const,
      ['/account', 'session', 'You are signed out.', when] as const,
    ]),
  )('leads both clicks at %s (%s) to the sign-in page, which says "%s", %s', async (path, field, notice, when) => {
    const { flow } = await signedIn('student');
    const before = await audited();
    const { pages } = await flow.submitTwice(await flow.browser.open(path), field, {}, when);
    for (const { status, url, body } of pages)
      expect([status, url.pathname, body]).toEqual([200, '/account/sign-in', expect.stringContaining(notice)]);
    expect(await audited()).toBe(before + 1);
  });
});
