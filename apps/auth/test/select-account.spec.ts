import type { Page } from '@lyceum/testing';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const SELECT = { prompt: 'select_account' };

describe('prompt=select_account', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  /** The accounts on the page, by name. */
  const offered = ({ body }: Page): Map<string, string> =>
    new Map(
      [...body.matchAll(/name="account" value="([^"]+)">[^]*?<bdi>([^<]+)<\/bdi>/g)].map(([, uid = '', name = '']) => [
        name,
        uid,
      ]),
    );
  const choose = (flow: Flow, page: Page, account: string): Promise<Page> => flow.submit(page, 'account', { account });
  const select = (flow: Flow): Promise<Page> => flow.browser.open(flow.authorizationUrl(SELECT));

  /** Keeps the cookies of an interaction, which a further one replaces: `BrowserSession` has one path for each name. */
  function tabOf({ browser }: Flow, { url }: Page): () => void {
    const paths = [url.pathname, `/oauth/authorize/${url.pathname.split('/').at(-1)}`];
    const pairs = paths.flatMap((path) => browser.cookiesFor(path).split('; '));
    const own = pairs.filter((pair) => /^lyceum\.(interaction|resume)/.test(pair));
    return () => own.forEach((pair) => browser.keep(`${pair}; path=/oauth`));
  }

  /** A browser with the accounts of the admin (parked) and of the student (current). */
  async function browserOfTwo(): Promise<Flow> {
    const flow = new Flow(auth);
    await flow.tokens({}, 'admin');
    const signIn = await choose(flow, await select(flow), 'another');
    await flow.decide(await flow.signIn(signIn, 'student'), 'approve');
    return flow;
  }

  it('shows the sign-in page in a browser without accounts', async () => {
    const flow = new Flow(auth);
    const page = await select(flow);
    expect(page.body).toContain('name="password"');
    expect((await flow.signIn(page, 'student')).body).toContain('value="approve"');
  });

  it('continues with the current account without a password', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    const page = await select(flow);
    expect([...offered(page).keys()]).toEqual(['The student']);
    const consent = await choose(flow, page, offered(page).get('The student')!);
    expect(consent.body).toContain('The student');
    const { searchParams } = (await flow.decide(consent, 'approve')).url;
    expect([searchParams.has('code'), searchParams.get('state')]).toEqual([true, 'a-state']);
  });

  it('returns a state with a question mark whole', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    const address = flow.authorizationUrl({ ...SELECT, state: 'why?' }).replace('why%3F', 'why?');
    const page = await flow.browser.open(address.replace('/authorize', '/accounts'));
    const consent = await choose(flow, page, offered(page).get('The student')!);
    expect((await flow.decide(consent, 'approve')).url.searchParams.get('state')).toBe('why?');
  });

  it('keeps several accounts in one browser, and switches between them', async () => {
    const flow = await browserOfTwo();
    const page = await select(flow);
    expect([...offered(page).keys()]).toEqual(['The student', 'The admin']);
    const consent = await choose(flow, page, offered(page).get('The admin')!);
    expect(consent.body).toContain('admin@school.example');
    expect((await flow.decide(consent, 'approve')).url.searchParams.has('code')).toBe(true);
    expect((await flow.browser.open('/account')).body).toContain('signed in as <bdi>admin@school.example</bdi>');
    expect([...offered(await select(flow)).keys()]).toEqual(['The admin', 'The student']);
  });

  it('continues a sign-in that began before another account was selected, whose session ends', async () => {
    const flow = await browserOfTwo();
    const signIn = await flow.browser.open(flow.authorizationUrl({ prompt: 'login' }));
    const returnToTab = tabOf(flow, signIn);
    const page = await select(flow);
    await choose(flow, page, offered(page).get('The admin')!);
    returnToTab();
    const consent = await flow.signIn(signIn, 'student');
    expect(consent.body).toContain('student@school.example');
    expect((await flow.decide(consent, 'approve')).url.searchParams.has('code')).toBe(true);
    expect([...offered(await select(flow)).keys()]).toEqual(['The student']);
  });

  it('signs all accounts of the browser out together', async () => {
    const flow = await browserOfTwo();
    const stale = await select(flow);
    await flow.signOut('here');
    expect((await select(flow)).body).toContain('name="password"');
    for (const uid of offered(stale).values()) expect((await choose(flow, stale, uid)).status).toBe(400);
  });

  it('offers no account whose sessions ended elsewhere, and no other browser’s account', async () => {
    const flow = await browserOfTwo();
    const page = await select(flow);
    const elsewhere = new Flow(auth);
    await elsewhere.tokens({}, 'admin');
    await elsewhere.signOut('everywhere');
    expect([...offered(await select(flow)).keys()]).toEqual(['The student']);
    expect((await choose(flow, page, offered(page).get('The admin')!)).status).toBe(400);
    const stranger = new Flow(auth);
    await stranger.tokens({}, 'owner');
    const theirs = await select(stranger);
    expect((await choose(stranger, theirs, offered(page).get('The student')!)).status).toBe(400);
  });

  it('refuses a choice without the token of its page', async () => {
    const flow = await browserOfTwo();
    const page = await select(flow);
    const forged = await flow.submit(page, 'account', { account: offered(page).get('The admin')!, csrf: 'forged' });
    expect(forged.status).toBe(400);
    expect((await flow.browser.open('/account')).body).toContain('The student');
  });

  it('combines select_account with consent, and refuses it with none', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    const page = await flow.browser.open(flow.authorizationUrl({ prompt: 'select_account consent' }));
    const consent = await choose(flow, page, offered(page).get('The student')!);
    expect(consent.body).toContain('value="approve"');
    const silent = await flow.browser.open(flow.authorizationUrl({ prompt: 'none select_account' }));
    expect(silent.url.searchParams.get('error')).toBe('invalid_request');
  });

  it('shows the error page for an unknown client, and refuses a NUL', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    expect((await flow.browser.open(flow.authorizationUrl({ ...SELECT, client_id: 'unknown' }))).status).toBe(400);
    expect((await flow.browser.open('/oauth/accounts?client_id=unknown')).status).toBe(400);
    expect((await flow.browser.open('/oauth/accounts?client_id=%00')).status).toBe(400);
  });

  it('lists select_account in the metadata', async () => {
    const { body } = await new Flow(auth).send('/.well-known/openid-configuration');
    expect(body['prompt_values_supported']).toEqual(['none', 'login', 'consent', 'select_account']);
  });
});
