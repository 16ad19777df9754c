import { APPLICATIONS_PAGE } from '#src/applications/applications.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow, SERVER } from './flow.js';

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

const applicationIn = (body: string): string => /name="application" value="([^"]+)"/.exec(body)?.[1] ?? '';

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
    const [, question = ''] = /action="(\/account\/disconnect)"/.exec(page.body) ?? [];
    const key = applicationIn(page.body);
    const asked = await flow.browser.open(`${question}?application=${key}`);
    expect(asked.body).toContain('<h1>Disconnect Public member?</h1>');
    expect(await flow.isActive(access_token)).toBe(true);
    const after = await flow.submit(asked, 'application', {});
    expect([after.url.pathname, after.body.match(/Public member/g)]).toEqual(['/account', ['Public member']]);
    expect(after.body).toContain('<p class="notice" role="status">Public member is disconnected.</p>');
    expect((await flow.browser.open('/account')).body).not.toContain('Public member');
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.browser.open(flow.authorizationUrl())).body).toContain('value="approve"');
  });

  it('pages the applications, and disconnects one of a later page', async () => {
    const { flow } = await signedIn('admin');
    await auth.sql(
      `with made as (
         insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes)
         select 'paged-' || n, $1, 'Paged ' || lpad(n::text, 2, '0'), 'member', 'site', '{http://127.0.0.1/}', '{account:read}'
           from generate_series(1, $2::int) n returning client_key)
       insert into consents (person_id, client_key, site_id, resource, scopes, expires_at)
       select person_id, client_key, $1, 'x', '{account:read}', now() + interval '1 day' from made, people
        where email = 'admin@school.example'`,
      [auth.site.site_id, APPLICATIONS_PAGE + 1],
    );
    const namesAt = (body: string): string[] =>
      [...body.matchAll(/Disconnect (Paged \d+)/g)].map(([, name = '']) => name);
    const first = await flow.browser.open('/account');
    expect([namesAt(first.body).length, first.body.includes('Newer')]).toEqual([APPLICATIONS_PAGE, false]);
    expect(first.body).toContain('href="/account?page=2"');
    const second = await flow.browser.open('/account?page=2');
    expect([namesAt(second.body), second.body.includes('Older')]).toEqual([['Paged 21'], false]);
    const asked = await flow.browser.open(`/account/disconnect?application=${applicationIn(second.body)}`);
    expect((await flow.submit(asked, 'application', {})).body).toContain('Paged 21 is disconnected.');
    for (const page of ['0', '-1', 'x', '99999', '2&page=3', '1%00']) {
      expect((await flow.browser.open(`/account?page=${page}`)).body).toContain('Disconnect Paged 01');
    }
    expect((await flow.browser.open('/account?page=9')).body).toContain('No more applications.');
  });

  it('shows when an application was last used, and what it may do', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'both');
    await auth.sql(`update grants set created_at = now() - interval '5 days'`);
    const { body } = await flow.browser.open('/account');
    expect(body).toMatch(/Connected <time[^>]*>5 days ago<\/time>, last used <time[^>]*>just now<\/time>/);
    expect(body).toContain('It can see your name and picture, your email address, and your roles here.');
    expect(body).toMatch(/<ul class="rows" aria-label="Permissions of Public member">[\s\S]*>View</);
  });

  it('shows the permissions of all grants of an application, and those of the remembered approval', async () => {
    const flow = new Flow(auth, auth.site, SERVER);
    const { access_token } = await flow.tokens({ scope: 'openid account:read' }, 'both');
    await flow.tokens({ scope: 'openid profile account:write' }, 'both');
    const setApproval = (change: string) =>
      auth.sql(`update consents set ${change} where person_id = (select person_id from people where email = $1)`, [
        'both@school.example',
      ]);
    const shown = async (): Promise<string[]> => {
      const { body } = await flow.browser.open('/account');
      const [, list = ''] = /aria-label="Permissions of Confidential member">([\s\S]*?)<\/ul>/.exec(body) ?? [];
      return ['View', 'Edit'].filter((word) => list.includes(word));
    };
    await setApproval(`expires_at = now()`);
    const ofGrants = await shown();
    await setApproval(`expires_at = now() + interval '1 day', scopes = '{openid}'`);
    expect([ofGrants, await shown(), await flow.isActive(access_token)]).toEqual([
      ['View', 'Edit'],
      ['View', 'Edit'],
      true,
    ]);
  });

  it('disconnects no application of another person, and refuses forms of another session', async () => {
    const victim = new Flow(auth);
    const { access_token } = await victim.tokens({}, 'admin');
    const theirs = await victim.browser.open('/account');
    const application = applicationIn(theirs.body);
    const { flow, page } = await signedIn('lecturer');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const asked = await flow.browser.open(`/account/disconnect?application=${application}`);
    expect([asked.url.pathname, asked.url.search]).toEqual(['/account', '']);
    const own = await flow.browser.open('/account/disconnect', new URLSearchParams({ csrf, application }));
    expect([own.status, own.body.includes('is disconnected')]).toEqual([200, false]);
    const forged = await victim.browser.open('/account/disconnect', new URLSearchParams({ csrf, application }));
    expect(forged.status).toBe(403);
    expect(await victim.isActive(access_token)).toBe(true);
  });

  it('signs out of this browser and of all browsers', async () => {
    const one = await signedIn('lecturer');
    const other = await signedIn('lecturer');
    const { access_token } = await new Flow(auth).tokens({}, 'lecturer');
    const out = await one.flow.signOut('here');
    expect(out.body).toContain('<p class="notice" role="status">You are signed out.</p>');
    expect((await one.flow.browser.open('/account')).url.pathname).toBe('/account/sign-in');
    expect((await other.flow.browser.open('/account')).url.pathname).toBe('/account');
    expect(await one.flow.isActive(access_token)).toBe(true);
    const asked = await other.flow.browser.open('/account/sign-out-everywhere');
    expect(asked.body).toContain('<h1>Sign out everywhere?</h1>');
    const ended = await other.flow.submit(asked, 'where', {});
    expect(ended.body).toContain('You are signed out everywhere');
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

  it.each([
    '/account/passkeys',
    '/account/change-password',
    '/account/profile',
    '/account/email',
    '/account/sign-out-everywhere',
  ])('continues at %s after the sign-in', async (path) => {
    const flow = new Flow(auth);
    const page = await flow.signIn(await flow.browser.open(path), 'student');
    expect([page.status, page.url.pathname]).toEqual([200, path]);
  });

  it.each([
    '/account/disconnect?application=%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
    '/account/disconnect?application=a&application=b',
    '/account/disconnect?application=%00',
    '/account/disconnect',
    '/account/passkeys/remove?passkey=%27%20or%201=1',
    `/account/passkeys/remove?passkey=${'x'.repeat(5_000)}`,
  ])('asks nothing at the hostile address %s', async (address) => {
    const { flow } = await signedIn('lecturer');
    const page = await flow.browser.open(address);
    expect([page.status, page.url.search]).toEqual([200, '']);
    expect(page.body).not.toMatch(/<script>alert|\?<\/h1>/);
  });

  it('shows a notice once, and only to the person who made the change', async () => {
    const [one, other] = [await signedIn('student'), await signedIn('lecturer')];
    const csrf = /name="csrf" value="([^"]+)"/.exec(one.page.body)?.[1] ?? '';
    const cookie = one.flow.browser.cookiesFor('/account');
    const { headers } = await one.flow.post('/account/end-session', { csrf, session: 'unknown' }, { cookie });
    const [notice = ''] = headers.getSetCookie().filter((line) => line.startsWith('lyceum.notice='));
    expect(notice).toMatch(/; path=\/; max-age=60; httponly; samesite=lax$/);
    const shown = async (flow: Flow, line: string): Promise<boolean> => {
      flow.browser.keep(line);
      return (await flow.browser.open('/account')).body.includes('role="status"');
    };
    expect(await shown(other.flow, notice)).toBe(false);
    expect(await shown(one.flow, notice.replace(/^lyceum.notice=./, 'lyceum.notice=A'))).toBe(false);
    expect(await shown(one.flow, 'lyceum.notice=<script>; path=/')).toBe(false);
    expect(await shown(one.flow, notice)).toBe(true);
    expect((await one.flow.browser.open('/account')).body).not.toContain('role="status"');
  });

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
