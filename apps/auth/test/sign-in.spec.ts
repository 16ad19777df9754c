import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Hold } from './hold.js';

describe('Signing in', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  beforeEach(() => auth.sql('DELETE FROM sign_in_attempts'));
  afterAll(() => auth.stop());

  async function begun(overrides: Record<string, string> = {}): Promise<{ flow: Flow; page: Page }> {
    const flow = new Flow(auth);
    return { flow, page: await flow.browser.open(flow.authorizationUrl(overrides)) };
  }
  /** The page without its variable parts. */
  const shown = (page: Page): string => page.body.replaceAll(/(value|action|data-passkey)="[^"]*"/g, '');

  it('responds the same to a wrong password and an unknown account', async () => {
    const [one, other] = [await begun(), await begun()];
    const wrong = await one.flow.signIn(one.page, 'student', 'not-the-password');
    const unknown = await other.flow.signIn(other.page, 'unknown', 'not-the-password');
    expect([wrong.status, unknown.status]).toEqual([422, 422]);
    expect(shown(wrong)).toBe(shown(unknown));
    expect(wrong.body).toContain('role="alert"');
  });

  it('moves the focus to the emptied password after a wrong one, with the error beside it', async () => {
    const focus = (page: Page): (string | undefined)[] =>
      [...page.body.matchAll(/<input[^>]*\bid="(\w+)"[^>]*\bautofocus/g)].map(([, id]) => id);
    const { flow, page } = await begun();
    expect(focus(page)).toEqual(['email']);
    const wrong = await flow.signIn(page, 'student', 'not-the-password');
    expect(focus(wrong)).toEqual(['password']);
    expect(wrong.body).toMatch(/aria-invalid="true"\s+aria-describedby="password-error"/);
    expect(wrong.body).toMatch(/id="password-error">The email address or the password is wrong\./);
    expect(focus((await begun({ login_hint: 'student@school.example' })).page)).toEqual(['password']);
  });

  it('shows the typed email address again, and never the password', async () => {
    const { flow, page } = await begun();
    const again = await flow.signIn(page, '"><b>x', 'a-secret-that-must-not-come-back');
    expect(again.body).toContain('&quot;&gt;&lt;b&gt;x@school.example');
    expect(again.body).not.toContain('a-secret-that-must-not-come-back');
  });

  it('accepts an email address in any case, with spaces around it', async () => {
    const { flow, page } = await begun();
    const next = await flow.submit(page, 'password', { email: '  STUDENT@School.Example ', password: PASSWORD });
    expect(next.body).toContain('value="approve"');
  });

  it('fills in the login_hint', async () => {
    const { page } = await begun({ login_hint: 'student@school.example' });
    expect(page.body).toContain('value="student@school.example"');
  });

  it.each(['student', 'unknown'])(
    'delays sign-ins after five failures of %s, also with the right password',
    async (name) => {
      const { flow, page } = await begun();
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect((await flow.signIn(page, name, 'not-the-password')).status).toBe(422);
      }
      const slowed = await flow.signIn(page, name, PASSWORD);
      expect([slowed.status, slowed.body.includes('Wait 5 seconds')]).toEqual([429, true]);
      await auth.sql(`UPDATE sign_in_attempts SET blocked_until = now()`);
      const after = await flow.signIn(page, name, 'not-the-password');
      expect(after.status).toBe(422);
      expect((await flow.signIn(page, name, PASSWORD)).body).toContain('Wait 10 seconds');
    },
  );

  it('does not delay another account, and resets failures after a success', async () => {
    const { flow, page } = await begun();
    for (let attempt = 0; attempt < 5; attempt += 1) await flow.signIn(page, 'admin', 'not-the-password');
    const other = await begun();
    for (let attempt = 0; attempt < 4; attempt += 1) await other.flow.signIn(other.page, 'owner', 'not-the-password');
    const next = await other.flow.signIn(other.page, 'owner');
    expect(next.body).toMatch(/You cannot allow|value="approve"/);
    const [row] = await auth.sql<{ n: number }>('SELECT count(*)::int AS n FROM sign_in_attempts');
    // The first account has two: one at its source, and one everywhere.
    expect(row?.n).toBe(2);
  });

  it('counts a hundred concurrent attempts one by one', async () => {
    const { flow, page } = await begun();
    const [form] = postForms(page.body);
    const action = new URL(form?.action ?? '', page.url);
    const guesses = Array.from({ length: 40 }, () =>
      flow.browser.open(
        action,
        new URLSearchParams([...(form?.fields ?? []), ['email', 'student@school.example'], ['password', 'x']]),
      ),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });

  it('sends pages with only its own scripts, without framing and caching', async () => {
    const { page } = await begun();
    const cookie = await cookieOf(auth, new Flow(auth).authorizationUrl());
    const { headers } = await new Flow(auth).send(cookie.location, { headers: { cookie: cookie.value } });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    // A browser would apply it to the redirects of the application, too (ADR 199).
    expect(policy).not.toContain('form-action');
    expect(policy).toMatch(/script-src 'sha256-[^' ]+' 'sha256-[^' ]+';/);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(page.body.match(/<script/g)).toHaveLength(2);
    expect(page.body).toContain('<html lang="en" dir="ltr">');
    for (const id of ['email', 'password']) expect(page.body).toContain(`<label for="${id}">`);
  });

  it('sets HttpOnly and SameSite cookies, and Secure ones where the site uses https', async () => {
    const { all } = await cookieOf(auth, new Flow(auth).authorizationUrl());
    expect(all.length).toBeGreaterThan(1);
    for (const line of all) {
      expect(line.toLowerCase()).toContain('httponly');
      expect(line.toLowerCase()).toContain('samesite=lax');
      expect(line.toLowerCase()).not.toContain('secure');
    }
  });

  it.each([
    ['without its token', { csrf: '' }, {}],
    ['with the token of another interaction', { csrf: 'AAAA' }, {}],
    ['from another origin', {}, { origin: 'https://evil.example' }],
    ['from an opaque origin', {}, { origin: 'null' }],
    ['from another site, as the browser says', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('refuses a form %s', async (_name, fields, headers) => {
    const { value, location } = await cookieOf(auth, new Flow(auth).authorizationUrl());
    const flow = new Flow(auth);
    const { body } = await flow.send(location, { headers: { cookie: value } });
    const [form] = postForms(String(body['text']));
    const sent = {
      ...Object.fromEntries(form?.fields ?? []),
      email: 'student@school.example',
      password: PASSWORD,
      ...fields,
    };
    const response = await flow.post(form?.action ?? '', sent, { cookie: value, ...headers });
    expect(response.status).toBe(403);
    const genuine = await flow.post(
      form?.action ?? '',
      { ...sent, ...Object.fromEntries(form?.fields ?? []) },
      { cookie: value },
    );
    expect(genuine.status).toBe(303);
  });

  it('shows an error page for an expired, foreign or stolen interaction', async () => {
    const { flow, page } = await begun();
    await flow.signIn(page, 'student');
    for (const stale of [
      await flow.browser.open(page.url),
      await new Flow(auth).browser.open(page.url),
      await new Flow(auth).browser.open('/oauth/interaction/nothing'),
      await new Flow(auth).browser.open('/oauth/authorize/nothing'),
    ]) {
      expect(stale.status).toBe(400);
      expect(stale.body).toContain('<h1>');
      expect(stale.body).not.toContain('Error:');
    }
  });

  it('shows an error page when the interaction ends during the password check', async () => {
    const { flow, page } = await begun();
    const hold = await Hold.of(auth, 'LOCK TABLE sign_in_attempts IN ACCESS EXCLUSIVE MODE');
    const signIn = flow.signIn(page, 'student');
    await hold.waiting(1);
    await auth.sql('DELETE FROM interactions');
    await hold.release();
    const { status, body } = await signIn;
    expect([status, body]).toEqual([400, expect.stringContaining('expired')]);
    expect(await flow.browser.open('/account')).toMatchObject({ url: { pathname: '/account/sign-in' } });
  });

  it('lets the person go back without signing in', async () => {
    const { flow, page } = await begun();
    const form = postForms(page.body).find(({ action }) => action.endsWith('/cancel'));
    const back = await flow.browser.open(new URL(form?.action ?? '', page.url), form?.fields);
    expect(back.url.searchParams.get('error')).toBe('access_denied');
  });

  it('ends the session of another person that began in this browser after the page was shown', async () => {
    const { flow, page } = await begun();
    await flow.signIn(await flow.browser.open('/account/sign-in'), 'admin');
    const cookie = flow.browser.cookiesFor('/account');
    const consent = await flow.signIn(page, 'student');
    expect([consent.body.includes('value="approve"'), consent.body.includes('student@school.example')]).toEqual([
      true,
      true,
    ]);
    const { headers } = await flow.send('/account', { headers: { cookie } });
    expect(headers.get('location')).toBe('/account/sign-in');
    expect((await flow.decide(consent, 'approve')).url.searchParams.has('code')).toBe(true);
    expect((await flow.browser.open('/account')).body).toContain('student@school.example');
  });

  it('marks the browser as a known one of the account, also at a sign-in for an application', async () => {
    const { flow, page } = await begun();
    expect(flow.browser.cookiesFor('/')).not.toContain('lyceum.device=');
    await flow.signIn(page, 'student');
    expect(flow.browser.cookiesFor('/')).toContain('lyceum.device=');
  });

  it('gives the browser a new session id at a sign-in', async () => {
    const before = await auth.sql<{ id: string }>(`SELECT encode(session_hash, 'hex') AS id FROM sessions`);
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    const after = await auth.sql<{ id: string }>(`SELECT encode(session_hash, 'hex') AS id FROM sessions`);
    expect(after.length).toBe(before.length + 1);
    await flow.tokens({}, 'student');
    const later = await auth.sql<{ id: string }>(`SELECT encode(session_hash, 'hex') AS id FROM sessions`);
    expect(later.length).toBe(before.length + 1);
  });

  it('stores cookies and bearer values only as digests', async () => {
    const flow = new Flow(auth);
    const { access_token, refresh_token } = await flow.tokens({}, 'student');
    const tables = ['sessions', 'interactions', 'grants', 'authorization_codes', 'access_tokens', 'refresh_tokens'];
    for (const table of tables) {
      const rows = await auth.sql<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM ${table} t`);
      expect(rows.length).toBeGreaterThanOrEqual(table === 'interactions' ? 0 : 1);
      for (const { text } of rows) {
        expect(text).not.toContain(access_token);
        expect(text).not.toContain(refresh_token);
        expect(text).not.toMatch(/"(cookie|jti|returnTo)"/);
      }
    }
  });
});

async function cookieOf(auth: TestAuth, path: string): Promise<{ value: string; location: string; all: string[] }> {
  const { headers } = await new Flow(auth).send(path);
  const all = headers.getSetCookie();
  const value = all.map((line) => line.split(';', 1)[0]).join('; ');
  return { value, location: headers.get('location') ?? '', all };
}
