import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

/** A browser that is signed in at the account, without an application. */
async function signedIn(
  name = 'student',
  password?: string,
): Promise<{ flow: Flow; page: Awaited<ReturnType<Flow['signIn']>> }> {
  const flow = new Flow(auth);
  return { flow, page: await flow.signIn(await flow.browser.open('/account'), name, password) };
}

describe('The account page', () => {
  it('requires a sign-in, and then shows the signed-in person', async () => {
    const { page } = await signedIn();
    expect([page.status, page.url.pathname]).toEqual([200, '/account']);
    expect(page.body).toContain('student@school.example');
    expect((await signedIn('student', 'wrong')).page.status).toBe(422);
  });

  it('shares the account session with authorizations in both directions', async () => {
    const { flow } = await signedIn();
    const page = await flow.browser.open(flow.authorizationUrl());
    expect(page.body).not.toContain('name="password"');
    const other = new Flow(auth);
    await other.tokens();
    expect((await other.browser.open('/account')).body).toContain('student@school.example');
  });

  it('lists connected applications and disconnects one, which ends its tokens and its approval', async () => {
    const flow = new Flow(auth);
    const { access_token } = await flow.tokens({}, 'owner');
    const page = await flow.browser.open('/account');
    expect(page.body).toContain('Public member');
    const after = await flow.submit(page, 'application', {});
    expect(after.body).not.toContain('Public member');
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.browser.open(flow.authorizationUrl())).body).toContain('value="approve"');
  });

  it('disconnects no application of another person, and refuses forms of another session', async () => {
    const victim = new Flow(auth);
    const { access_token } = await victim.tokens({}, 'admin');
    const theirs = await victim.browser.open('/account');
    const application = /name="application" value="([^"]+)"/.exec(theirs.body)?.[1] ?? '';
    const { flow, page } = await signedIn();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const own = await flow.browser.open('/account/disconnect', new URLSearchParams({ csrf, application }));
    expect(own.status).toBe(200);
    const forged = await victim.browser.open('/account/disconnect', new URLSearchParams({ csrf, application }));
    expect(forged.status).toBe(403);
    expect(await victim.isActive(access_token)).toBe(true);
  });

  it('signs out of this browser and of all browsers', async () => {
    const one = await signedIn('lecturer');
    const other = await signedIn('lecturer');
    const { access_token } = await new Flow(auth).tokens({}, 'lecturer');
    await one.flow.submit(one.page, 'where', { where: 'here' });
    expect((await one.flow.browser.open('/account')).url.pathname).toBe('/account/sign-in');
    expect((await other.flow.browser.open('/account')).url.pathname).toBe('/account');
    expect(await one.flow.isActive(access_token)).toBe(true);
    await other.flow.submit(other.page, 'where', { where: 'everywhere' });
    expect((await other.flow.browser.open('/account')).url.pathname).toBe('/account/sign-in');
    expect(await one.flow.isActive(access_token)).toBe(false);
  });

  it('renames the session at each sign-in and invalidates the old name', async () => {
    const { flow } = await signedIn();
    const before = flow.browser.cookiesFor('/account');
    const page = await flow.browser.open('/account/sign-in');
    await flow.signIn(page, 'student');
    expect(flow.browser.cookiesFor('/account')).not.toBe(before);
    const response = await flow.send('/account', { headers: { cookie: before } });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/account/sign-in']);
  });

  it.each(['https://evil.example/', '//evil.example', '/oauth/authorize', '/account/sign-out'])(
    'ignores the foreign sign-in target %s',
    async (next) => {
      const flow = new Flow(auth);
      const page = await flow.browser.open(`/account/sign-in?next=${encodeURIComponent(next)}`);
      expect(page.body).not.toContain(next);
      const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
      const form = { csrf, next, email: 'student@school.example', password: PASSWORD };
      const done = await flow.browser.open('/account/sign-in', new URLSearchParams(form));
      expect(done.url.href).toBe(`${auth.site.base_url}/account`);
    },
  );

  it('accepts a sign-in form only in the browser that it was shown in', async () => {
    const page = await new Flow(auth).browser.open('/account/sign-in');
    const elsewhere = await new Flow(auth).signIn(page, 'student');
    expect(elsewhere.status).toBe(403);
  });

  it('shows no account page to a person who was suspended after the sign-in', async () => {
    const { flow } = await signedIn('both');
    await auth.sql(`UPDATE people SET state = 'suspended' WHERE email = 'both@school.example'`);
    expect((await flow.browser.open('/account')).url.pathname).toBe('/account/sign-in');
  });
});
