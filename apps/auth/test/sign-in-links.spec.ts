import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { SitesService } from '#src/sites/sites.service.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { EmailLinkStage, NEW_PASSWORD } from './email-link-stage.js';
import { PASSWORD } from './auth.js';
import type { TestAuth } from './auth.js';
import { DOUBLE_CLICKS, Flow } from './flow.js';

let stage: EmailLinkStage;
let auth: TestAuth;

beforeAll(async () => {
  stage = await EmailLinkStage.start();
  ({ auth } = stage);
});
beforeEach(() => auth.resetLimits());
afterAll(() => stage.stop());

const addressOf = (name: string): string => `${name}@school.example`;
const newLink = (name: string, flow?: Flow): Promise<string> => stage.link('sign-in-link', addressOf(name), flow);
const press = (flow: Flow, page: Page, values: Record<string, string> = {}): Promise<Page> =>
  flow.submit(page, 'link', values);
const isSignedIn = async (flow: Flow): Promise<boolean> =>
  (await flow.browser.open('/account')).url.pathname === '/account';
/** Ends the time in which a form that was sent twice gets the same response. */
const pastRepetitions = () => auth.sql('update password_changes set expires_at = now()');
/** The sign-in page of an authorization request, and the request for a link from it. */
async function fromApplication(flow: Flow, name: string, parameters = {}): Promise<{ uid: string; link: string }> {
  const signIn = await flow.browser.open(flow.authorizationUrl(parameters));
  const uid = signIn.url.pathname.split('/')[3] ?? '';
  const form = await flow.browser.open(`/oauth/interaction/${uid}/sign-in-link`);
  const link = await stage.mails.newLink(addressOf(name), () => flow.submit(form, 'email', { email: addressOf(name) }));
  return { uid, link };
}

describe('A sign-in link', () => {
  it('signs in by a button, once, and only the button uses the link', async () => {
    const flow = new Flow(auth);
    const link = await newLink('student', flow);
    const page = await flow.browser.open(link);
    expect([page.body.includes(addressOf('student')), await isSignedIn(flow)]).toEqual([true, false]);
    const account = await press(flow, await flow.browser.open(link));
    expect([account.url.pathname, account.body.includes('The student')]).toEqual(['/account', true]);
    await pastRepetitions();
    expect([(await press(flow, page)).status, (await flow.browser.open(link)).status]).toEqual([404, 404]);
    const log = await auth.sql<{ event: string; method: string | null }>(
      `select event, details ->> 'method' as method from audit_log join people using (person_id)
        where email = $1 order by audit_id`,
      [addressOf('student')],
    );
    expect(log).toEqual(
      expect.arrayContaining([
        { event: 'sign_in_link.requested', method: null },
        { event: 'sign_in.succeeded', method: 'link' },
      ]),
    );
  });

  it('continues the authorization with the authentication method otp', async () => {
    const flow = new Flow(auth);
    const { link } = await fromApplication(flow, 'student', { prompt: 'login' });
    const consent = await press(flow, await flow.browser.open(link));
    const { searchParams } = (await flow.decide(consent, 'approve')).url;
    expect([searchParams.has('code'), searchParams.get('state')]).toEqual([true, 'a-state']);
    const [session] = await auth.sql<{ amr: string[] }>(
      `select payload -> 'amr' as amr from sessions join people using (person_id) where email = $1
        order by payload ->> 'loginTs' desc, expires_at desc limit 1`,
      [addressOf('student')],
    );
    expect(session?.amr).toEqual(['otp']);
  });

  it('asks in another browser, signs in there after a confirmation, and continues no authorization', async () => {
    const [flow, elsewhere] = [new Flow(auth), new Flow(auth)];
    const { link, uid } = await fromApplication(flow, 'lecturer');
    const page = await elsewhere.browser.open(link);
    expect(page.body).toContain('requested in another browser');
    const [form] = postForms(page.body);
    const again = await elsewhere.browser.open(form!.action, form!.fields);
    expect([again.status, again.body.includes('another browser')]).toEqual([200, true]);
    expect(await isSignedIn(elsewhere)).toBe(false);
    const account = await press(elsewhere, again, { confirmed: 'yes' });
    expect([account.url.pathname, account.body.includes('The lecturer')]).toEqual(['/account', true]);
    expect([await isSignedIn(flow), (await flow.browser.open(`/oauth/interaction/${uid}/continue`)).status]).toEqual([
      false,
      200,
    ]);
    const stolen = await elsewhere.browser.open(`/oauth/interaction/${uid}/continue`);
    expect([stolen.status, stolen.body.includes('no longer valid')]).toEqual([400, true]);
  });

  it('refuses a forged form and one of another origin', async () => {
    const flow = new Flow(auth);
    const page = await flow.browser.open(await newLink('admin', flow));
    expect((await press(flow, page, { csrf: 'forged' })).status).toBe(403);
    const [form] = postForms(page.body);
    const headers = { cookie: flow.browser.cookiesFor('/account/email-link'), origin: 'https://evil.example' };
    expect((await flow.post('/account/email-link', Object.fromEntries(form!.fields), headers)).status).toBe(403);
    expect(await isSignedIn(flow)).toBe(false);
  });

  it('responds the same to a known address and to others, and mails only members of the site', async () => {
    const [known, unknown, foreign] = [
      await stage.request('sign-in-link', addressOf('owner')),
      await stage.request('sign-in-link', 'unknown@school.example'),
      await stage.request('sign-in-link', addressOf('stranger')),
    ].map(({ status, body }) => [status, body]);
    expect([unknown, foreign]).toEqual([known, known]);
    await auth.mailsSent();
    const counts = ['owner', 'unknown', 'stranger'].map((name) => stage.mails.to(addressOf(name)).length);
    expect(counts).toEqual([1, 0, 0]);
  });

  it(`lives for ${LIFETIMES.signInLink} seconds from the request`, async () => {
    const link = await newLink('owner');
    const pass = (seconds: number) =>
      auth.sql('update email_links set expires_at = expires_at - make_interval(secs => $2) where address = $1', [
        addressOf('owner'),
        seconds,
      ]);
    await pass(LIFETIMES.signInLink - 30);
    expect((await new Flow(auth).browser.open(link)).status).toBe(200);
    await pass(30);
    expect((await new Flow(auth).browser.open(link)).status).toBe(404);
  });

  it('ends when the password changes, when a newer one is requested, and for a suspended member', async () => {
    const older = await newLink('admin');
    const newer = await newLink('admin');
    const open = async (link: string) => (await new Flow(auth).browser.open(link)).status;
    expect([await open(older), await open(newer)]).toEqual([404, 200]);
    const account = new Flow(auth);
    await account.signIn(await account.browser.open('/account/sign-in'), 'admin', PASSWORD);
    const change = { current: PASSWORD, password: NEW_PASSWORD };
    await account.submit(await account.browser.open('/account/change-password'), 'current', change);
    expect(await open(newer)).toBe(404);
    const flow = new Flow(auth);
    const page = await flow.browser.open(await newLink('admin', flow));
    await auth.sql(
      `update site_members set state = 'suspended' where person_id = (select person_id from people where email = $1)`,
      [addressOf('admin')],
    );
    expect((await press(flow, page)).status).toBe(404);
    expect(await isSignedIn(flow)).toBe(false);
  });

  it('stands on the sign-in page only where the site offers it', async () => {
    const other = new Flow(auth, auth.other);
    expect((await other.browser.open('/account/sign-in')).body).not.toContain('sign-in link');
    expect((await other.browser.open('/account/sign-in-link')).status).toBe(404);
    expect((await new Flow(auth).browser.open('/account/sign-in')).body).toContain('Email me a sign-in link');
  });
});

describe('A sign-in link whose button is clicked twice', () => {
  const sessionOf = ({ browser }: Flow) => /(?:^|; )lyceum=([^;]+)/.exec(browser.cookiesFor('/'))?.[1];

  it.each(DOUBLE_CLICKS)('signs in once, and leads both clicks to the account, %s', async (when) => {
    const flow = new Flow(auth);
    const page = await flow.browser.open(await newLink('student', flow));
    const { first, pages } = await flow.submitTwice(page, 'link', {}, when);
    expect(pages.map(({ status, url }) => [status, url.pathname])).toEqual([
      [200, '/account'],
      [200, '/account'],
    ]);
    expect(sessionOf(flow)).toBe(sessionOf(first));
    // The browser received the first response, which took the link away.
    expect((await press(first, page)).url.pathname).toBe('/account');
  });

  it.each(DOUBLE_CLICKS)('continues the authorization, %s', async (when) => {
    const flow = new Flow(auth);
    const { link, uid } = await fromApplication(flow, 'student', { prompt: 'login' });
    const page = await flow.browser.open(link);
    // A browser does not follow the redirect of the first response.
    const headers = { cookie: flow.browser.cookiesFor(page.url.pathname), origin: auth.site.base_url };
    const first = flow.post('/account/email-link', postForms(page.body)[0]!.fields, headers);
    if (when === 'one after the other') await first;
    const consent = await press(flow, page);
    expect(consent.body).toContain('value="approve"');
    const response = await first;
    expect([response.status, response.headers.get('location')]).toEqual([303, `/oauth/interaction/${uid}/continue`]);
    const { searchParams } = (await flow.decide(consent, 'approve')).url;
    expect([searchParams.has('code'), searchParams.get('state')]).toEqual([true, 'a-state']);
  });

  it('signs in no other browser that opened the link, and none after a minute', async () => {
    const [flow, elsewhere] = [new Flow(auth), new Flow(auth)];
    const link = await newLink('student', flow);
    const [page, stolen] = [await flow.browser.open(link), await elsewhere.browser.open(link)];
    const former = flow.copy('/account/email-link');
    expect((await press(flow, page)).url.pathname).toBe('/account');
    const statuses = [await press(elsewhere, stolen), await press(elsewhere, stolen, { confirmed: 'yes' })];
    expect(statuses.map(({ status }) => status)).toEqual([404, 404]);
    expect(await isSignedIn(elsewhere)).toBe(false);
    await pastRepetitions();
    expect((await press(former, page)).status).toBe(404);
  });
});

/** A person without a password, who has signed in by a link, approved an application, and left the browser. */
async function leftByLink(name: string) {
  await auth.sql('update people set password_hash = null where email = $1', [addressOf(name)]);
  const flow = new Flow(auth);
  const { link } = await fromApplication(flow, name);
  const consent = await press(flow, await flow.browser.open(link));
  const { body } = await flow.exchange((await flow.decide(consent, 'approve')).url.searchParams.get('code'));
  const [access, refresh] = [String(body['access_token']), String(body['refresh_token'])];
  return { flow, access, refresh };
}
const eventsOf = async (name: string): Promise<string[]> =>
  (
    await auth.sql<{ event: string }>('select event from audit_log join people using (person_id) where email = $1', [
      addressOf(name),
    ])
  ).map(({ event }) => event);

/** The number of mails that report a changed password. */
async function reports(email: string): Promise<number> {
  await auth.mailsSent();
  return stage.mails.to(email).filter((mail) => /Subject: Your password at .* was changed/.test(mail)).length;
}

describe('The first password of a person who signed in by links', () => {
  it('ends all sessions and grants when a reset by mail sets it', async () => {
    const { flow, access, refresh } = await leftByLink('both');
    expect([await isSignedIn(flow), await flow.isActive(access)]).toEqual([true, true]);
    const own = new Flow(auth);
    const form = await own.browser.open('/account/password');
    const link = await stage.mails.newLink(addressOf('both'), () =>
      own.submit(form, 'email', { email: addressOf('both') }),
    );
    await own.submit(await own.browser.open(link), 'password', { password: NEW_PASSWORD });
    expect([await isSignedIn(own), await isSignedIn(flow), await flow.isActive(access)]).toEqual([true, false, false]);
    expect((await flow.refresh(refresh)).body['error']).toBe('invalid_grant');
    expect(await eventsOf('both')).toContain('password.changed');
  });

  it('ends them when an invitation sets it, without an entry of a changed password', async () => {
    const { flow, access } = await leftByLink('lecturer');
    const person = { email: addressOf('lecturer'), name: 'The lecturer', role: 'student' } as const;
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    const { link } = await auth.app.get(Administration).invite(site!, person);
    const own = new Flow(auth);
    const { pathname, search } = new URL(link ?? '');
    await own.submit(await own.browser.open(pathname + search), 'password', { password: NEW_PASSWORD });
    expect([await isSignedIn(own), await isSignedIn(flow), await flow.isActive(access)]).toEqual([true, false, false]);
    expect(await eventsOf('lecturer')).not.toContain('password.changed');
    expect(await reports(addressOf('lecturer'))).toBe(1);
  });

  it('reports one that a sign-up sets', async () => {
    const email = addressOf('stranger');
    await auth.sql('update people set password_hash = null, email_verified = true where email = $1', [email]);
    const flow = new Flow(auth);
    const page = await flow.browser.open(await stage.link('sign-up', email, flow));
    await flow.submit(page, 'name', { name: 'The stranger', password: NEW_PASSWORD });
    expect([await isSignedIn(flow), await reports(email)]).toEqual([true, 1]);
  });

  it('reports none to people who have not used their account before', async () => {
    const [invited, newcomer] = [addressOf('invited'), addressOf('newcomer')];
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    const { link } = await auth.app.get(Administration).invite(site!, { email: invited, name: '', role: 'student' });
    const { pathname, search } = new URL(link ?? '');
    const [own, other] = [new Flow(auth), new Flow(auth)];
    await own.submit(await own.browser.open(pathname + search), 'password', { password: NEW_PASSWORD });
    const page = await other.browser.open(await stage.link('sign-up', newcomer, other));
    await other.submit(page, 'name', { name: 'New', password: NEW_PASSWORD });
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, true]);
    expect([await reports(invited), await reports(newcomer)]).toEqual([0, 0]);
  });
});

describe('The continuation of an authorization', () => {
  it('accepts no session from before the request that requires a new sign-in', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    await auth.sql(
      `update sessions set payload = payload || jsonb_build_object('loginTs', (payload ->> 'loginTs')::int - 5)`,
    );
    const signIn = await flow.browser.open(flow.authorizationUrl({ prompt: 'login' }));
    const uid = signIn.url.pathname.split('/')[3] ?? '';
    expect((await flow.browser.open(`/oauth/interaction/${uid}/continue`)).body).toContain('name="password"');
  });
});
