import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { RateLimiter } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';
import { LIMITS } from '#src/limits/limits.js';
import { EmailLinkStage, NEW_PASSWORD } from './email-link-stage.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { signedIn } from './passkey-flow.js';
import { tablesWith } from './personal-data.js';

const NEW = { name: 'Ada Newcomer', password: NEW_PASSWORD };

let stage: EmailLinkStage;
let auth: TestAuth;

beforeAll(async () => {
  stage = await EmailLinkStage.start();
  ({ auth } = stage);
});
beforeEach(() => auth.resetLimits());
afterAll(() => stage.stop());

const address = (name: string): string => `${name}@attack.example`;
const mailsTo = async (email: string): Promise<string[]> => {
  await auth.mailsSent();
  return stage.mails.to(email);
};
const use = async (link: string, flow = new Flow(auth), values: Record<string, string> = NEW): Promise<Page> =>
  flow.submit(await flow.browser.open(link), 'name', values);

describe('A sign-up', () => {
  it('responds the same to a known address, an unknown one and one of another site', async () => {
    const responses = new Map<string, Page>();
    for (const email of ['student@school.example', address('unknown'), 'stranger@school.example'])
      responses.set(email, await stage.request('sign-up', email));
    const [known, unknown, foreign] = [...responses.values()].map(({ status, body }) => [status, body]);
    expect([unknown, foreign]).toEqual([known, known]);
    const [mail = ''] = await mailsTo('student@school.example');
    expect(mail).toContain('You already have an account at First School');
    expect(mail).toContain(`${auth.site.base_url}/account`);
    expect(mail).not.toContain('token=');
    expect((await mailsTo(address('unknown')))[0]).toContain('Confirm your email address at First School');
    expect((await mailsTo('stranger@school.example'))[0]).toContain('Confirm your email address at First School');
    expect(await stage.account(address('unknown'))).toBeUndefined();
  });

  it('gives a suspended member and a suspended person no access', async () => {
    const [suspended, everywhere] = [address('suspended'), address('suspended-everywhere')];
    for (const email of [suspended, everywhere]) await use(await stage.link('sign-up', email));
    const update = (table: string, email: string) =>
      auth.sql(
        `update ${table} set state = 'suspended' where person_id = (select person_id from people where email = $1)`,
        [email],
      );
    await update('site_members', suspended);
    await update('people', everywhere);
    for (const email of [suspended, everywhere]) await stage.request('sign-up', email);
    expect((await mailsTo(suspended)).at(-1)).toContain('You already have an account');
    expect(await mailsTo(everywhere)).toHaveLength(1);
  });

  it('ends the link of a person who is suspended before its use', async () => {
    const email = 'stranger@school.example';
    const flow = new Flow(auth);
    const page = await flow.browser.open(await stage.link('sign-up', email, flow));
    await auth.sql(`update people set state = 'suspended' where email = $1`, [email]);
    expect((await flow.submit(page, 'name', NEW)).status).toBe(404);
    expect((await stage.account(email))?.state).toBeNull();
    await auth.sql(`update people set state = 'active' where email = $1`, [email]);
  });

  it('accepts a link once, at its own site, until it expires or is replaced', async () => {
    const email = address('once');
    const [older, newer] = [await stage.link('sign-up', email), await stage.link('sign-up', email)];
    const open = async (link: string, site = auth.site) => (await new Flow(auth, site).browser.open(link)).status;
    expect([await open(older), await open(newer), await open(newer, auth.other)]).toEqual([404, 200, 404]);
    const flow = new Flow(auth);
    const page = await flow.browser.open(newer);
    const done = await Promise.all([flow.submit(page, 'name', NEW), use(newer, new Flow(auth))]);
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(await open(newer)).toBe(404);
    const expired = await stage.link('sign-up', address('expired'));
    await auth.sql(`update email_links set expires_at = now() - interval '1 second' where address = $1`, [
      address('expired'),
    ]);
    expect(await open(expired)).toBe(404);
  });

  it('does not use a link that is only opened', async () => {
    const link = await stage.link('sign-up', address('prefetched'));
    for (let time = 0; time < 3; time += 1) expect((await new Flow(auth).browser.open(link)).status).toBe(200);
    expect((await use(link)).url.pathname).toBe('/account');
  });

  it('stores no token of a link in clear', async () => {
    const link = await stage.link('sign-up', address('stored'));
    const token = link.split('=')[1] ?? '';
    expect([token.length, await tablesWith(auth, token)]).toEqual([43, []]);
  });

  it('shows that it is closed where the site does not offer it, and ends open links when it is switched off', async () => {
    const link = await stage.link('sign-up', address('late'));
    const closed = await new Flow(auth, auth.other).browser.open('/account/sign-up');
    expect([closed.status, closed.body.includes('Sign-up is closed')]).toEqual([404, true]);
    const page = await new Flow(auth).browser.open('/account/sign-up');
    await stage.settings({ sign_up: false });
    try {
      expect((await new Flow(auth).submit(page, 'email', { email: address('late') })).status).toBe(404);
      expect((await new Flow(auth).browser.open(link)).status).toBe(404);
      expect((await new Flow(auth).browser.open('/account/sign-in')).body).not.toContain('Create an account');
    } finally {
      await stage.settings({ sign_up: true });
    }
  });
});

describe('The form of a sign-up', () => {
  const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    new Flow(auth).post('/account/sign-up', form, headers);

  it('refuses a forged form, one of another origin and one of another browser', async () => {
    const flow = new Flow(auth);
    const [form] = postForms((await flow.browser.open('/account/sign-up')).body);
    const cookie = flow.browser.cookiesFor('/account/sign-up');
    const email = address('forged');
    const genuine = { ...Object.fromEntries(form!.fields), email };
    expect((await post({ email, csrf: 'forged' }, { cookie })).status).toBe(403);
    expect((await post(genuine, { cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(genuine)).status).toBe(403);
    expect(await mailsTo(email)).toEqual([]);
    expect((await post(genuine, { cookie })).status).toBe(303);
  });

  it('refuses a forged form of the link', async () => {
    const flow = new Flow(auth);
    const email = address('forged-link');
    const page = await flow.browser.open(await stage.link('sign-up', email, flow));
    expect((await flow.submit(page, 'name', { ...NEW, csrf: 'forged' })).status).toBe(403);
    expect(await stage.account(email)).toBeUndefined();
  });

  it.each(['', 'no-address', 'a@b@c', 'a\r\nBcc: x@y.example', `${'a'.repeat(300)}@x.example`, '<script>@x.example'])(
    'refuses the address %p',
    async (email) => {
      const page = await stage.request('sign-up', email);
      expect([page.status, page.body.includes('<script>')]).toEqual([422, false]);
    },
  );

  it('escapes a hostile name, and refuses one of 10,000 characters and a repeated field', async () => {
    const flow = new Flow(auth);
    const page = await flow.browser.open(await stage.link('sign-up', address('hostile'), flow));
    const hostile = `"><script>alert(1)</script>`;
    const refused = await flow.submit(page, 'name', { name: hostile, password: 'short' });
    expect([refused.status, refused.body.includes('<script>')]).toEqual([422, false]);
    expect((await flow.submit(page, 'name', { ...NEW, name: 'x'.repeat(10_000) })).status).toBe(422);
    const [form] = postForms(page.body);
    const twice = new URLSearchParams([...form!.fields, ['name', 'a'], ['name', 'b'], ['password', NEW_PASSWORD]]);
    expect((await flow.browser.open(form!.action, twice)).status).toBe(400);
    const account = await flow.submit(page, 'name', { ...NEW, name: hostile });
    expect([account.url.pathname, account.body.includes('<script>alert')]).toEqual(['/account', false]);
  });

  it('limits the mails to one address', async () => {
    const email = address('flooded');
    const { hits } = LIMITS.email_links;
    for (let count = 0; count < hits + 1; count += 1) {
      expect((await stage.request('sign-up', email)).url.pathname).toBe('/account/sign-up/sent');
      // A newer link ends the mail of an older one that is not sent yet.
      await auth.mailsSent();
    }
    expect(await mailsTo(email)).toHaveLength(hits);
  });
});

describe('Requests for links of one source', () => {
  const { email_links_by_source: ofSource, email_links_of_strangers: ofStrangers } = LIMITS;
  const spend = (limit: Limit, units: number) =>
    auth.app.get(RateLimiter).take(limit, `${auth.site.site_id}\n127.0.0.1`, units);
  const ask = async (name: string): Promise<number> => (await stage.request('sign-up', address(name))).status;

  it('lets others behind the same source request one link each, also while one person repeats a request', async () => {
    await spend(ofSource, ofSource.hits - 1);
    await spend(ofStrangers, ofStrangers.hits - 3);
    expect([await ask('eager'), await ask('eager')]).toEqual([200, 429]);
    for (let time = 0; time < 3; time += 1) expect(await ask('eager')).toBe(429);
    expect([await ask('patient'), await ask('patient')]).toEqual([200, 429]);
    expect([await mailsTo(address('eager')), await mailsTo(address('patient'))]).toEqual([
      [expect.any(String)],
      [expect.any(String)],
    ]);
  });

  it('counts both kinds of links together, and the same address in another case', async () => {
    await spend(ofSource, ofSource.hits);
    expect(await ask('both-kinds')).toBe(200);
    const again = await stage.request('sign-in-link', address('Both-Kinds').toUpperCase());
    expect([again.status, again.body]).toEqual([429, expect.stringContaining('Too many links were requested')]);
  });

  it('stops unknown browsers beyond the limit of all, and none that has signed in to the account', async () => {
    const known = await signedIn(auth, 'student');
    await spend(ofStrangers, ofStrangers.hits - 1);
    expect([await ask('last'), await ask('too-many')]).toEqual([200, 429]);
    expect(await mailsTo(address('too-many'))).toEqual([]);
    expect((await stage.request('sign-in-link', 'lecturer@school.example', known)).status).toBe(429);
    const link = await stage.link('sign-in-link', 'student@school.example', known);
    expect((await known.browser.open(link)).url.pathname).toBe('/account/email-link');
  });
});

describe('A link at two sites that offer links', () => {
  const offer = (isOffered: boolean) => stage.settings({ sign_up: isOffered, sign_in_links: isOffered }, auth.other);
  const status = async (link: string, site = auth.site) => (await new Flow(auth, site).browser.open(link)).status;

  beforeAll(() => offer(true));
  afterAll(() => offer(false));

  it.each([
    ['sign-up', address('one-site')],
    ['sign-in-link', 'both@school.example'],
  ] as const)('opens at the site of its request only: %s', async (kind, email) => {
    const link = await stage.link(kind, email);
    expect([await status(link, auth.other), await status(link)]).toEqual([404, 200]);
  });

  it('stays open when another site, or another kind of link, is requested for the address', async () => {
    const email = 'both@school.example';
    const link = await stage.link('sign-in-link', email);
    const other = await stage.link('sign-in-link', email, new Flow(auth, auth.other));
    await stage.request('sign-up', email);
    await auth.mailsSent();
    expect([await status(link), await status(other, auth.other)]).toEqual([200, 200]);
  });
});
