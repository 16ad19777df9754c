import type { Page } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import type { SiteRecord } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';
import { Mails, linkIn } from './mails.js';

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
/** The link of a new mail for another password, asked for at the page. */
async function resetLink(name: string, site = auth.site): Promise<string> {
  const count = mails.to(addressOf(name)).length + 1;
  const flow = new Flow(auth, site);
  await flow.submit(await flow.browser.open('/account/password'), 'email', { email: addressOf(name) });
  return linkIn(await mails.last(addressOf(name), count));
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
  it('is ended by a change of the password at the account', async () => {
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

  it('is ended by a newer one of that purpose at that site, and by none of another site', async () => {
    const [older, elsewhere] = [await resetLink('both'), await resetLink('both', auth.other)];
    const newer = await resetLink('both');
    expect((await open(older)).status).toBe(404);
    expect([(await open(newer)).status, (await open(elsewhere, auth.other)).status]).toEqual([200, 200]);
    const [first, second] = [await invitationLink('invited'), await invitationLink('invited')];
    expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200]);
  });

  it('is ended by a password that is set by any other link of the person', async () => {
    const [here, elsewhere] = [await resetLink('both'), await resetLink('both', auth.other)];
    expect((await setPassword(elsewhere, ANOTHER, auth.other)).body).toContain('Your password is set');
    expect((await open(here)).status).toBe(404);
  });

  it('sets the first password only, when it is an invitation', async () => {
    const link = await invitationLink('newcomer');
    // As a link that was open when an older release set the password.
    await auth.sql(
      `UPDATE people SET password_hash = (SELECT password_hash FROM people WHERE email = $1) WHERE email = $2`,
      [addressOf('admin'), addressOf('newcomer')],
    );
    expect((await open(link)).status).toBe(404);
    await auth.sql('UPDATE people SET password_hash = NULL WHERE email = $1', [addressOf('newcomer')]);
    expect((await setPassword(link, ANOTHER)).body).toContain('Your password is set');
  });

  it('sets one password when it is used twice at once, while the password is changed too', async () => {
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
