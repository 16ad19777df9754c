import type { Page } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD } from './auth.js';
import type { TestAuth } from './auth.js';
import { EmailLinkStage, NEW_PASSWORD } from './email-link-stage.js';
import { DOUBLE_CLICKS, Flow } from './flow.js';
import { Hold } from './hold.js';

const NEW = { name: 'Ada Newcomer', password: NEW_PASSWORD };

let stage: EmailLinkStage;
let auth: TestAuth;

beforeAll(async () => {
  stage = await EmailLinkStage.start();
  ({ auth } = stage);
});
beforeEach(() => auth.resetLimits());
afterAll(() => stage.stop());

const address = (name: string): string => `${name}@new.example`;
/** Creates an account in the browser of `flow`. */
async function signUp(flow: Flow, email: string, values: Record<string, string> = NEW): Promise<Page> {
  return flow.submit(await flow.browser.open(await stage.link('sign-up', email, flow)), 'name', values);
}
const uidOf = ({ url }: Page): string => url.pathname.split('/')[3] ?? '';
/** The paths of the further ways in on a sign-in page. */
const linkTo = ({ body }: Page, text: string): string =>
  new RegExp(`<a [^>]*href="([^"]+)"[^>]*>${text}</a>`).exec(body)?.[1] ?? 'no link';

describe('A sign-up', () => {
  it('creates a student by a link, and continues the authorization that it came from', async () => {
    const flow = new Flow(auth);
    const email = address('from-an-application');
    const signIn = await flow.browser.open(flow.authorizationUrl({ prompt: 'login', max_age: '60' }));
    const form = await flow.browser.open(linkTo(signIn, 'Create an account'));
    expect(form.body).toContain('Public member');
    const link = await stage.mails.newLink(email, async () => {
      const sent = await flow.submit(form, 'email', { email });
      expect([sent.status, sent.url.pathname]).toEqual([200, '/account/sign-up/sent']);
    });
    expect(await stage.account(email)).toBeUndefined();
    const consent = await flow.submit(await flow.browser.open(link), 'name', NEW);
    expect(consent.body).toContain('value="approve"');
    expect(await stage.account(email)).toEqual({
      state: 'active',
      roles: ['student'],
      name: NEW.name,
      email_verified: true,
      has_password: true,
    });
    const code = (await flow.decide(consent, 'approve')).url.searchParams.get('code');
    const { access_token } = (await flow.exchange(code)).body;
    expect((await flow.userInfo(String(access_token))).body).toMatchObject({
      email,
      roles: ['student'],
      name: NEW.name,
    });
  });

  it('publishes the membership, and writes the sign-up and the sign-in to the audit log', async () => {
    const email = address('published');
    await signUp(new Flow(auth), email);
    const events = await auth.sql<{ state: string }>(
      `select payload::jsonb #>> '{data,state}' as state from outbox
        where payload::jsonb ->> 'type' like 'identity.role.%' and payload::jsonb #>> '{data,email}' = $1 order by seq`,
      [email],
    );
    expect(events.map(({ state }) => state)).toEqual(['invited', 'active']);
    const log = await auth.sql<{ event: string }>(
      `select event from audit_log join people using (person_id) where email = $1 order by audit_id`,
      [email],
    );
    expect(log.map(({ event }) => event)).toEqual(['role.changed', 'account.signed_up', 'sign_in.succeeded']);
  });

  it('continues at the account without an authorization, and says that the account is ready', async () => {
    const page = await signUp(new Flow(auth), address('from-the-account'));
    expect(page.url.pathname).toBe('/account');
    expect(page.body).toContain('Your account is ready');
  });

  it('finishes in another browser at the account, and leaves the authorization to the first one', async () => {
    const [flow, elsewhere] = [new Flow(auth), new Flow(auth)];
    const email = address('two-browsers');
    const signIn = await flow.browser.open(flow.authorizationUrl());
    const form = await flow.browser.open(linkTo(signIn, 'Create an account'));
    const link = await stage.mails.newLink(email, () => flow.submit(form, 'email', { email }));
    const done = await elsewhere.submit(await elsewhere.browser.open(link), 'name', NEW);
    expect([done.url.pathname, done.body.includes('go back to it')]).toEqual(['/account', true]);
    expect((await flow.browser.open(`/oauth/interaction/${uidOf(signIn)}/continue`)).body).toContain('name="password"');
  });

  it('lets a person of another site join with the same password, and keeps that password', async () => {
    const flow = new Flow(auth);
    const email = 'stranger@school.example';
    const page = await flow.browser.open(await stage.link('sign-up', email, flow));
    expect([page.body.includes('Join First School'), page.body.includes('name="password"')]).toEqual([true, false]);
    const signIn = await flow.submit(page, 'name', { name: 'Known Elsewhere', password: 'not-set-by-the-link' });
    expect([signIn.url.pathname, signIn.body.includes('You have access now')]).toEqual(['/account/sign-in', true]);
    expect((await flow.signIn(signIn, 'stranger', PASSWORD)).url.pathname).toBe('/account');
    expect(await stage.account(email)).toMatchObject({ state: 'active', roles: ['student'], name: 'Known Elsewhere' });
    expect(await stage.account(email, auth.other)).toMatchObject({ roles: ['student'], name: 'The stranger' });
  });

  it('sets a password when the account with one has none by the time of the use', async () => {
    const email = address('without-password-by-then');
    const person = { email, name: 'Known Elsewhere', password: PASSWORD, roles: ['student' as const] };
    const { site_id: _, ...other } = auth.other;
    await auth.apply({ sites: [{ ...other, people: [person], clients: [] }] });
    const flow = new Flow(auth);
    const page = await flow.browser.open(await stage.link('sign-up', email, flow));
    const hold = await Hold.of(auth, 'update people set password_hash = null where email = $1', [email]);
    const account = flow.submit(page, 'name', NEW);
    await hold.waiting(1);
    await hold.release();
    expect([(await account).url.pathname, (await account).body]).toEqual([
      '/account',
      expect.stringContaining('Your account is ready'),
    ]);
    expect(await stage.account(email)).toMatchObject({ state: 'active', has_password: true });
  });

  it('says that a person who joined from an application has access, where the authorization continues', async () => {
    const email = address('joins-from-an-application');
    const person = { email, name: 'Known Elsewhere', password: PASSWORD, roles: ['student' as const] };
    const { site_id: _, ...other } = auth.other;
    await auth.apply({ sites: [{ ...other, people: [person], clients: [] }] });
    const flow = new Flow(auth);
    const form = await flow.browser.open(linkTo(await flow.browser.open(flow.authorizationUrl()), 'Create an account'));
    const link = await stage.mails.newLink(email, () => flow.submit(form, 'email', { email }));
    const signIn = await flow.submit(await flow.browser.open(link), 'name', { name: 'Ada' });
    expect([signIn.url.pathname, signIn.body]).toEqual([
      `/oauth/interaction/${uidOf(signIn)}/sign-in`,
      expect.stringContaining('You have access now'),
    ]);
    expect((await flow.browser.open(signIn.url)).body).not.toContain('You have access now');
    const consent = await flow.submit(signIn, 'password', { email, password: PASSWORD });
    expect(consent.body).toContain('value="approve"');
  });

  it('sends an invited person the invitation again', async () => {
    const email = address('invited');
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    await auth.app.get(Administration).invite(site!, { email, name: 'Invited', role: 'lecturer' });
    await auth.mailsSent();
    expect(await stage.link('sign-up', email)).toContain('/account/invitation?token=');
    expect(await stage.account(email)).toMatchObject({ state: 'invited', roles: ['lecturer'] });
  });

  it('keeps the link open after a refused password or name', async () => {
    const flow = new Flow(auth);
    const email = address('careless');
    const page = await flow.browser.open(await stage.link('sign-up', email, flow));
    for (const [values, error] of [
      [{ ...NEW, password: 'short' }, 'at least'],
      [{ ...NEW, password: 'password123' }, 'common'],
      [{ ...NEW, name: '' }, 'Enter a name'],
      [{ ...NEW, name: 'x'.repeat(201) }, 'at most 200'],
      [{ ...NEW, name: 'a\nb' }, 'no line breaks'],
    ] as const) {
      const refused = await flow.submit(page, 'name', values);
      expect([refused.status, refused.body.includes(error), values]).toEqual([422, true, values]);
    }
    expect(await stage.account(email)).toBeUndefined();
    expect((await flow.submit(page, 'name', { ...NEW, name: 'x'.repeat(200) })).url.pathname).toBe('/account');
  });
});

describe('A sign-up whose button is clicked twice', () => {
  it.each(DOUBLE_CLICKS)('creates one account, and leads both clicks to it, %s', async (when) => {
    const flow = new Flow(auth);
    const email = address(`twice-${when.replaceAll(' ', '-')}`);
    const page = await flow.browser.open(await stage.link('sign-up', email, flow));
    const { pages } = await flow.submitTwice(page, 'name', NEW, when);
    for (const { url, body } of pages)
      expect([url.pathname, body]).toEqual(['/account', expect.stringContaining('Your account is ready')]);
    const log = await auth.sql(
      `select 1 from audit_log join people using (person_id) where email = $1 and event = 'account.signed_up'`,
      [email],
    );
    expect(log).toHaveLength(1);
    // Another password is another form.
    expect((await flow.submit(page, 'name', { ...NEW, password: `${NEW_PASSWORD}-2` })).status).toBe(404);
  });
});

describe('prompt=create', () => {
  const create = (flow: Flow, more = {}): Promise<Page> =>
    flow.browser.open(flow.authorizationUrl({ prompt: 'create', ...more }));

  it('shows the sign-up, which continues to consent', async () => {
    const flow = new Flow(auth);
    const email = address('created');
    const form = await create(flow, { login_hint: email });
    expect([form.url.pathname.endsWith('/sign-up'), form.body.includes(`value="${email}"`)]).toEqual([true, true]);
    const link = await stage.mails.newLink(email, () => flow.submit(form, 'email', { email }));
    const consent = await flow.submit(await flow.browser.open(link), 'name', NEW);
    expect((await flow.decide(consent, 'approve')).url.searchParams.has('code')).toBe(true);
  });

  it('accepts a sign-in in place of the sign-up', async () => {
    const flow = new Flow(auth);
    const signIn = await flow.browser.open(linkTo(await create(flow), 'You already have an account\\? Sign in'));
    const consent = await flow.signIn(signIn, 'student');
    expect((await flow.decide(consent, 'approve')).url.searchParams.has('code')).toBe(true);
  });

  it('shows the sign-up to a person who is signed in, and replaces the session', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    const email = address('second-account');
    const form = await create(flow);
    const link = await stage.mails.newLink(email, () => flow.submit(form, 'email', { email }));
    const consent = await flow.submit(await flow.browser.open(link), 'name', NEW);
    expect(consent.body).toContain(email);
    expect((await flow.decide(consent, 'approve')).url.searchParams.has('code')).toBe(true);
  });

  it('stands in the metadata and the guide of a site with sign-up only', async () => {
    const prompts = async (site: TestAuth['site']) => {
      const flow = new Flow(auth, site);
      const { body } = await flow.send('/.well-known/openid-configuration');
      const { text } = (await flow.send('/auth.md')).body;
      return [
        (body['prompt_values_supported'] as string[]).includes('create'),
        String(text).includes('Sign-up link'),
        /^\| Requests for such a link with an unknown browser \| (.*) \|$/m.exec(String(text))?.[1],
      ];
    };
    expect([await prompts(auth.site), await prompts(auth.other)]).toEqual([
      [true, true, '300 in 60 minutes per source'],
      [false, false, undefined],
    ]);
  });

  it.each(['create', 'none create', 'create login'])(
    'returns invalid_request for prompt=%s at a site without sign-up',
    async (prompt) => {
      const flow = new Flow(auth, auth.other, { client_id: 'second-member' });
      const { url } = await flow.browser.open(flow.authorizationUrl({ prompt }));
      expect([url.searchParams.get('error'), url.searchParams.get('state')]).toEqual(['invalid_request', 'a-state']);
    },
  );

  it('returns invalid_request for prompt=none create', async () => {
    const { url } = await create(new Flow(auth), { prompt: 'none create' });
    expect(url.searchParams.get('error')).toBe('invalid_request');
  });
});
