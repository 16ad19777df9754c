import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import type { SiteRecord } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { DOUBLE_CLICKS, Flow } from './flow.js';
import { Mails } from './mails.js';

const ANOTHER = 'another-long-password';
const STOLEN = 'a-password-of-the-thief';

const mails = new Mails();
let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth({ environment: { MAIL_DIRECTORY: mails.directory } });
});
beforeEach(() => auth.sql('DELETE FROM sign_in_attempts'));
afterAll(() => auth.stop());

const siteOf = async ({ site_id }: TestSite): Promise<SiteRecord> => {
  const site = await auth.app.get(SitesService).byId(site_id);
  if (site === undefined) throw new Error('The stage has the site');
  return site;
};
const addressOf = (name: string): string => `${name}@school.example`;
const pathOf = (link: string | undefined): string => {
  const { pathname, search } = new URL(link ?? '');
  return pathname + search;
};
/** The link of a new mail after a reset request on the page. */
async function resetLink(name: string, site = auth.site): Promise<string> {
  const flow = new Flow(auth, site);
  const page = await flow.browser.open('/account/password');
  return mails.newLink(addressOf(name), () => flow.submit(page, 'email', { email: addressOf(name) }));
}
async function invitationLink(name: string, site = auth.site): Promise<string> {
  const person = { email: addressOf(name), name: `The ${name}`, role: 'student' } as const;
  const { link } = await auth.app.get(Administration).invite(await siteOf(site), person);
  return pathOf(link);
}
const open = (path: string, site = auth.site): Promise<Page> => new Flow(auth, site).browser.open(path);
async function setPassword(path: string, password: string, site = auth.site): Promise<Page> {
  const flow = new Flow(auth, site);
  return flow.submit(await flow.browser.open(path), 'password', { password });
}
async function signIn(name: string, password: string): Promise<Page> {
  const flow = new Flow(auth);
  return flow.signIn(await flow.browser.open('/account'), name, password);
}

describe('A link that sets a password', () => {
  it('ends a password link when the password changes at the account', async () => {
    const link = await resetLink('student');
    const flow = new Flow(auth);
    await flow.signIn(await flow.browser.open('/account'), 'student');
    const thief = new Flow(auth);
    const stale = await thief.browser.open(link);
    const change = { current: PASSWORD, password: ANOTHER };
    await flow.submit(await flow.browser.open('/account/change-password'), 'current', change);
    expect((await open(link)).status).toBe(404);
    expect((await thief.submit(stale, 'password', { password: STOLEN })).body).not.toContain('Your password is set');
    expect((await signIn('student', STOLEN)).status).toBe(422);
    expect((await signIn('student', ANOTHER)).status).toBe(200);
  });

  it('ends a link when a newer one of that purpose and site is sent, and no link of another site', async () => {
    const [older, elsewhere] = [await resetLink('both'), await resetLink('both', auth.other)];
    const newer = await resetLink('both');
    expect((await open(older)).status).toBe(404);
    expect([(await open(newer)).status, (await open(elsewhere, auth.other)).status]).toEqual([200, 200]);
    const [first, second] = [await invitationLink('invited'), await invitationLink('invited')];
    expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200]);
  });

  it('signs in with the browser of the link, and not a person without access to the site', async () => {
    const flow = new Flow(auth);
    const page = await flow.browser.open(await invitationLink('joining'));
    const done = await flow.submit(page, 'password', { password: ANOTHER });
    expect(done.body).toContain('You are signed in');
    expect((await flow.browser.open('/account')).body).toContain(`signed in as <bdi>${addressOf('joining')}</bdi>`);
    const [entry] = await auth.sql<{ details: { method: string } }>(
      `SELECT details FROM audit_log WHERE event = 'sign_in.succeeded'
          AND person_id = (SELECT person_id FROM people WHERE email = $1)`,
      [addressOf('joining')],
    );
    expect(entry?.details.method).toBe('link');

    const suspended = new Flow(auth);
    const open = await suspended.browser.open(await resetLink('joining'));
    await auth.sql(
      `UPDATE site_members SET state = 'suspended' WHERE person_id = (SELECT person_id FROM people WHERE email = $1)`,
      [addressOf('joining')],
    );
    const refused = await suspended.submit(open, 'password', { password: `${ANOTHER}-2` });
    expect(refused.body).not.toContain('You are signed in');
    expect((await suspended.browser.open('/account')).body).toContain('name="password"');
  });

  it('ends a link when another link of the person sets a password', async () => {
    const [here, elsewhere] = [await resetLink('both'), await resetLink('both', auth.other)];
    expect((await setPassword(elsewhere, ANOTHER, auth.other)).body).toContain('Your password is set');
    expect((await open(here)).status).toBe(404);
  });

  it('sets only the first password by an invitation', async () => {
    const link = await invitationLink('newcomer');
    // Simulates an open link of an older release that set the password.
    await auth.sql(
      `UPDATE people SET password_hash = (SELECT password_hash FROM people WHERE email = $1) WHERE email = $2`,
      [addressOf('admin'), addressOf('newcomer')],
    );
    expect((await open(link)).status).toBe(404);
    await auth.sql('UPDATE people SET password_hash = NULL WHERE email = $1', [addressOf('newcomer')]);
    expect((await setPassword(link, ANOTHER)).body).toContain('Your password is set');
  });

  it('sets one password when a link is used twice during a password change', async () => {
    const link = await resetLink('lecturer');
    const account = new Flow(auth);
    await account.signIn(await account.browser.open('/account'), 'lecturer');
    const change = await account.browser.open('/account/change-password');
    const browsers = [new Flow(auth), new Flow(auth)];
    const pages = await Promise.all(browsers.map((flow) => flow.browser.open(link)));
    const sent = [
      ...browsers.map((flow, index) => flow.submit(pages[index]!, 'password', { password: `${ANOTHER}-${index}` })),
      account.submit(change, 'current', { current: PASSWORD, password: `${ANOTHER}-2` }),
    ];
    const done = (await Promise.all(sent)).map(({ body }) => /Your password is (set|changed)/.test(body));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect((await signIn('lecturer', `${ANOTHER}-${done.indexOf(true)}`)).status).toBe(200);
  });
});

describe('A new password that is sent twice', () => {
  it.each(DOUBLE_CLICKS)('takes one password, and leads both clicks to the same page, %s', async (when) => {
    const name = `twice-${when.replaceAll(' ', '-')}`;
    for (const [newLink, password] of [
      [invitationLink, ANOTHER],
      [resetLink, `${ANOTHER}-2`],
    ] as const) {
      const flow = new Flow(auth);
      const page = await flow.browser.open(await newLink(name));
      const { first, pages } = await flow.submitTwice(page, 'password', { password }, when);
      for (const { url, body } of pages)
        expect([url.search, body]).toEqual(['?done=signed-in', expect.stringContaining('You are signed in')]);
      for (const one of [first, flow]) expect((await one.browser.open('/account')).url.pathname).toBe('/account');
      // Another password is another form.
      expect((await flow.submit(page, 'password', { password: STOLEN })).status).toBe(404);
      expect((await signIn(name, password)).status).toBe(200);
    }
    const entries = await auth.sql(
      `SELECT 1 FROM audit_log JOIN people USING (person_id)
        WHERE email = $1 AND event = 'sign_in.succeeded' AND details ->> 'method' = 'link'`,
      [addressOf(name)],
    );
    expect(entries).toHaveLength(2);
  });
});

describe('The URL of a password link', () => {
  it('moves the token of a link from the URL into a short-lived HttpOnly cookie', async () => {
    const link = await resetLink('owner');
    expect(link).toMatch(/^\/account\/invitation\?token=[\w-]{43}$/);
    const token = link.split('=')[1] ?? '';
    const { status, headers } = await new Flow(auth).send(link);
    expect([status, headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/account\/invitation\?link=\w+$/),
    ]);
    expect(headers.get('location')).not.toContain(token);
    const [cookie = '', ...more] = headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toContain(`=${token}; path=/account/invitation; max-age=3600; httponly; samesite=lax`);
    const page = await open(link);
    expect([page.status, page.body.includes(token)]).toEqual([200, false]);
    // The URL alone is not enough in another browser.
    expect((await open(page.url.pathname + page.url.search)).status).toBe(404);
  });

  it('sets no cookie for an invalid link', async () => {
    const { status, headers } = await new Flow(auth).send(`/account/invitation?token=${'x'.repeat(43)}`);
    expect([status, headers.getSetCookie()]).toEqual([404, []]);
    for (const query of ['', '?link=', '?link=../../', '?token=a&token=b', '?token='])
      expect((await open(`/account/invitation${query}`)).status).toBe(404);
  });

  it('keeps two links of different people open in one browser', async () => {
    const flow = new Flow(auth);
    const owner = await flow.browser.open(await resetLink('owner'));
    const invited = await flow.browser.open(await invitationLink('second'));
    expect(owner.body).toContain(addressOf('owner'));
    expect(invited.body).toContain(addressOf('second'));
    const reloaded = await flow.browser.open(owner.url);
    expect(reloaded.body).toContain(addressOf('owner'));
    expect((await flow.submit(owner, 'password', { password: `${ANOTHER}-o` })).body).toContain('Your password is set');
    expect((await flow.submit(invited, 'password', { password: `${ANOTHER}-s` })).body).toContain(
      'Your password is set',
    );
    expect((await signIn('owner', `${ANOTHER}-o`)).status).toBe(200);
    expect((await signIn('second', `${ANOTHER}-s`)).status).toBe(200);
    expect(flow.browser.cookiesFor('/account/invitation')).not.toContain('lyceum.link');
  });

  it('refuses a form of another link of this browser or of another origin', async () => {
    const flow = new Flow(auth);
    const [first, second] = [await resetLink('admin'), await invitationLink('third')];
    const pages = [await flow.browser.open(first), await flow.browser.open(second)];
    const [one, other] = pages.map(({ body }) => postForms(body)[0]?.fields ?? new URLSearchParams());
    const crossed = new URLSearchParams([...one!, ['password', STOLEN]]);
    crossed.set('link', other!.get('link') ?? '');
    const refused = await flow.browser.open('/account/invitation', crossed);
    expect([refused.status, refused.body.includes('did not come from this page')]).toEqual([422, true]);
    const cookie = flow.browser.cookiesFor('/account/invitation');
    const foreign = { ...Object.fromEntries(one!), password: STOLEN };
    const response = await flow.post('/account/invitation', foreign, { cookie, origin: 'https://evil.example' });
    expect(response.status).toBe(422);
    expect((await signIn('admin', STOLEN)).status).toBe(422);
  });
});
