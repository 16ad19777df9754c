import { postForms } from '@lyceum/testing';
import { SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { DOUBLE_CLICKS, Flow } from './flow.js';

/** Clients whose approvals are remembered: a public client on loopback needs consent each time. */
const OPERATOR_SERVER = { client_id: 'first-operator-server', client_secret: SECRET };
const MEMBER_SERVER = { client_id: 'first-member-server', client_secret: SECRET };
/** The text of the rows of permissions. */
const rowsOf = (body: string): string[] =>
  [...body.matchAll(/<summary>([^]*?)<\/summary>/g)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim(),
  );
const OPERATOR = { client_id: 'first-operator', scope: 'openid courses:read courses:write orders:read' };

describe('Consent', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  /** The page after sign-in. */
  async function consentPage(name: string, overrides: Record<string, string> = {}, site = auth.site) {
    const flow = new Flow(auth, site);
    const page = await flow.signIn(await flow.browser.open(flow.authorizationUrl(overrides)), name);
    return { flow, page };
  }

  it('shows the site, the client, the way back, and a row per resource at consent', async () => {
    const { page } = await consentPage('owner', OPERATOR);
    for (const text of ['First School', 'Public operator', 'an app on this computer', 'your roles here']) {
      expect(page.body).toContain(text);
    }
    const rows = rowsOf(page.body);
    expect(rows).toEqual(['Courses and consulting View Edit', 'Orders and payments View']);
    for (const words of [
      'see courses, drafts included',
      'create, change and publish courses',
      'see orders and payments',
    ])
      expect(page.body).toContain(words);
    expect(page.body).not.toContain('Unverified');
  });

  it.each([
    ['en', 'each site of this service where you have a role'],
    ['zh-TW', '本服務中你有角色的每個網站'],
  ])('says in %s that account:read shows the other sites of the person', async (ui_locales, words) => {
    expect((await consentPage('student', { ui_locales })).page.body).toContain(words);
  });

  it('warns with red only where people, roles or money are touched, or something is deleted', async () => {
    const weights = async (scope: string): Promise<boolean> =>
      (await consentPage('owner', { ...OPERATOR, scope })).page.body.includes('class="badge bad"');
    expect(await weights('openid courses:read courses:write students:read')).toBe(false);
    await auth.sql(`UPDATE clients SET scopes = scopes || '{members:write}' WHERE client_id = 'first-operator'`);
    expect(await weights('openid courses:read members:write')).toBe(true);
  });

  it('marks what is new since the last approval', async () => {
    const flow = new Flow(auth);
    const { client_id } = MEMBER_SERVER;
    await flow.tokens({ ...MEMBER_SERVER, scope: 'openid account:read' });
    const more = flow.authorizationUrl({ client_id, scope: 'openid account:read account:write' });
    const page = await flow.browser.open(more);
    expect(rowsOf(page.body)).toEqual(['Your account New View Edit']);
    expect(page.body).toContain('more than you allowed before');
    await flow.decide(page, 'approve');
    const again = await flow.browser.open(
      flow.authorizationUrl({ client_id, scope: 'openid account:read account:write', prompt: 'consent' }),
    );
    expect(rowsOf(again.body)).toEqual(['Your account View Edit']);
  });

  it('redirects with access_denied, state and iss when the person denies', async () => {
    const { flow, page } = await consentPage('student');
    const denied = await flow.decide(page, 'deny');
    expect(Object.fromEntries(denied.url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a-state',
      iss: auth.site.base_url,
    });
  });

  it.each(['owner', 'admin'])('lets an %s grant an operator client all requested scopes', async (name) => {
    const { scope } = await new Flow(auth).tokens(OPERATOR, name);
    expect(scope).toBe(OPERATOR.scope);
  });

  it('lets a lecturer grant the scopes of lecturers, and shows which ones are withheld', async () => {
    const scope = 'openid courses:read orders:read comments:read';
    const { client_id } = OPERATOR_SERVER;
    const { flow, page } = await consentPage('lecturer', { client_id, scope });
    expect(page.body).toContain('more than your role');
    expect(page.body).not.toContain('see orders and payments');
    const callback = (await flow.decide(page, 'approve')).url.searchParams;
    const { body } = await flow.exchange(callback.get('code'), OPERATOR_SERVER);
    expect(body['scope']).toBe('openid courses:read comments:read');
    const refreshed = await flow.refresh(String(body['refresh_token']), OPERATOR_SERVER);
    expect(refreshed.body['scope']).toBe('openid courses:read comments:read');
    const again = await flow.browser.open(flow.authorizationUrl({ client_id, scope }));
    expect(again.url.searchParams.has('code')).toBe(true);
  });

  it('grants nothing beyond the shown scopes, also when the role has grown since', async () => {
    const scope = 'openid courses:read orders:read';
    const become = (role: string) =>
      auth.sql(
        `UPDATE site_members SET roles = ARRAY[$1] WHERE site_id = $2
            AND person_id = (SELECT person_id FROM people WHERE email = 'lecturer@school.example')`,
        [role, auth.site.site_id],
      );
    const { flow, page } = await consentPage('lecturer', { ...OPERATOR, scope, prompt: 'consent' });
    expect(page.body).not.toContain('see orders and payments');
    await become('owner');
    try {
      const code = (await flow.decide(page, 'approve')).url.searchParams.get('code');
      const { body } = await flow.exchange(code, { client_id: 'first-operator' });
      expect(body['scope']).toBe('openid courses:read');
      const later = await flow.browser.open(flow.authorizationUrl({ ...OPERATOR, scope }));
      expect(later.body).toContain('see orders and payments');
    } finally {
      await become('lecturer');
    }
  });

  it('refuses an approval of scopes that the form does not name, and shows the page again', async () => {
    const { flow, page } = await consentPage('owner', { ...OPERATOR, prompt: 'consent' });
    for (const shown of ['', 'orders', 'account:read']) {
      const again = await flow.submit(page, 'decision', { decision: 'approve', shown });
      expect(again.body).toContain('value="approve"');
    }
  });

  it.each([
    ['a student an operator client', 'student', OPERATOR],
    ['a student an operator client that asks only who they are', 'student', { ...OPERATOR, scope: 'openid email' }],
    ['a lecturer an operator client for orders only', 'lecturer', { ...OPERATOR, scope: 'openid orders:read' }],
  ])('refuses to give %s, and offers a way back', async (_name, person, overrides) => {
    const { flow, page } = await consentPage(person, overrides);
    expect(page.body).toContain('You cannot allow');
    expect(page.body).toMatch(/Ask an owner or admin of\s+<bdi>First School<\/bdi>/);
    expect(page.body).not.toContain('value="approve"');
    const back = await flow.decide(page, 'deny');
    expect(back.url.searchParams.get('error')).toBe('access_denied');
    expect(back.url.searchParams.get('state')).toBe('a-state');
  });

  it('refuses an approval that the page did not offer', async () => {
    const { flow, page } = await consentPage('student', OPERATOR);
    const forced = await flow.decide(page, 'approve');
    expect(forced.url.origin).toBe(auth.site.base_url);
    expect(forced.body).toContain('You cannot allow');
  });

  it('lets every person with a role at the site approve a member client', async () => {
    for (const name of ['owner', 'lecturer', 'student']) {
      expect((await new Flow(auth).tokens({}, name)).scope).toContain('account:read');
    }
  });

  it('forgets an approval after ninety days and when the role is removed', async () => {
    const flow = new Flow(auth);
    await flow.tokens(MEMBER_SERVER, 'both');
    const request = flow.authorizationUrl({ client_id: MEMBER_SERVER.client_id });
    expect((await flow.browser.open(request)).url.searchParams.has('code')).toBe(true);
    await auth.sql(`UPDATE consents SET expires_at = now() - interval '1 second'`);
    expect((await flow.browser.open(request)).body).toContain('value="approve"');
  });

  it('requires consent of another account in the same browser', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    const switched = await flow.browser.open(flow.authorizationUrl({ prompt: 'login' }));
    const consent = await flow.signIn(switched, 'admin');
    expect(consent.body).toContain('The admin');
  });

  it('switches the account and continues the same request', async () => {
    const { flow, page } = await consentPage('admin');
    const form = /action="([^"]+\/switch)"[\s\S]*?name="csrf" value="([^"]+)"/.exec(page.body);
    const fields = new URLSearchParams({ csrf: form?.[2] ?? '' });
    const signIn = await flow.browser.open(new URL(form?.[1] ?? '', page.url), fields);
    expect(signIn.body).toContain('name="password"');
    const consent = await flow.signIn(signIn, 'both');
    expect(consent.body).toContain('The both');
    const { searchParams } = (await flow.decide(consent, 'approve')).url;
    expect([searchParams.has('code'), searchParams.get('state')]).toEqual([true, 'a-state']);
  });

  it.each(DOUBLE_CLICKS)('leads both clicks on another account to the sign-in, %s', async (when) => {
    const { flow, page } = await consentPage('admin');
    const { pages } = await flow.submitTwice(page, 'csrf', {}, when);
    for (const { status, body } of pages)
      expect([status, body]).toEqual([200, expect.stringContaining('name="password"')]);
    const consent = await flow.signIn(pages[1]!, 'both');
    const { searchParams } = (await flow.decide(consent, 'approve')).url;
    expect([searchParams.has('code'), searchParams.get('state')]).toEqual([true, 'a-state']);
  });

  it('starts no request again for a foreign form or after a decision', async () => {
    const { flow, page } = await consentPage('admin');
    const action = new URL(postForms(page.body)[0]?.action ?? '', page.url);
    const foreign = await flow.copy(page.url.pathname).browser.open(action, new URLSearchParams({ csrf: 'x' }));
    expect([foreign.status, foreign.url.pathname]).toEqual([403, action.pathname]);
    const decided = await flow.decide(page, 'approve');
    expect((await flow.submit(page, 'csrf', {})).url.href).toBe(decided.url.href);
  });

  it('responds to prompt=none with a code or an error, without a page', async () => {
    const flow = new Flow(auth);
    const { client_id } = MEMBER_SERVER;
    const silent = flow.authorizationUrl({ client_id, prompt: 'none' });
    expect((await flow.browser.open(silent)).url.searchParams.get('error')).toBe('login_required');
    await flow.tokens(MEMBER_SERVER, 'owner');
    expect((await flow.browser.open(silent)).url.searchParams.has('code')).toBe(true);
    const more = flow.authorizationUrl({ client_id, prompt: 'none', scope: 'account:read account:write' });
    expect((await flow.browser.open(more)).url.searchParams.get('error')).toBe('consent_required');
  });
});
