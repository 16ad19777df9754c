import { SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

/** A client whose approval is remembered. */
const SERVER = { client_id: 'first-member-server', client_secret: SECRET, scope: 'openid account:read' };
const MINUTES_10 = 600;
/** Seconds that a test may take. */
const MARGIN = 60;

describe('The time of a sign-in', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => auth.stop());

  /** Moves the clock of the service ahead. */
  function pass(seconds: number): void {
    const moment = Date.now() + seconds * 1000;
    jest.spyOn(Date, 'now').mockReturnValue(moment);
  }
  async function authTime(flow: Flow, code: string | null): Promise<number> {
    const { body } = await flow.exchange(code);
    const [, claims = ''] = String(body['id_token']).split('.');
    return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { auth_time: number }).auth_time;
  }
  const seconds = (): number => Math.floor(Date.now() / 1000);
  const uidOf = ({ pathname }: URL): string => pathname.split('/').at(-1) ?? '';

  it('becomes the auth_time of an approval ten minutes later', async () => {
    const flow = new Flow(auth);
    const before = seconds();
    const consent = await flow.signIn(await flow.browser.open(flow.authorizationUrl({ max_age: '3600' })));
    pass(MINUTES_10);
    const { searchParams } = (await flow.decide(consent, 'approve')).url;
    const after = (await authTime(flow, searchParams.get('code'))) - before;
    expect(after).toBeGreaterThanOrEqual(0);
    expect(after).toBeLessThan(MARGIN);
  });

  it('becomes the auth_time of an authorization that continues with the session of another page', async () => {
    const flow = new Flow(auth);
    const before = seconds();
    const { url } = await flow.browser.open(flow.authorizationUrl({ prompt: 'login' }));
    await flow.signIn(await flow.browser.open('/account'));
    pass(MINUTES_10);
    const consent = await flow.browser.open(`/oauth/interaction/${uidOf(url)}/continue`);
    const { searchParams } = (await flow.decide(consent, 'approve')).url;
    const after = (await authTime(flow, searchParams.get('code'))) - before;
    expect(after).toBeGreaterThanOrEqual(0);
    expect(after).toBeLessThan(MARGIN);
  });

  it('stays the same after an approval, so that prompt=login of another tab requires a password', async () => {
    const flow = new Flow(auth);
    const consent = await flow.signIn(await flow.browser.open(flow.authorizationUrl()));
    pass(MINUTES_10);
    const tab = flow.copy('/account');
    const { url } = await tab.browser.open(tab.authorizationUrl({ prompt: 'login' }));
    expect((await flow.decide(consent, 'approve')).url.searchParams.has('code')).toBe(true);
    for (const pair of flow.browser.cookiesFor('/account').split('; ')) tab.browser.keep(`${pair}; path=/`);
    const page = await tab.browser.open(`/oauth/interaction/${uidOf(url)}/continue`);
    expect(page.body).toContain('name="password"');
  });

  it.each([
    ['after max_age', async () => ({ max_age: '60' })],
    [
      'for the id_token_hint of another person',
      async () => ({ id_token_hint: String((await new Flow(auth).tokens(SERVER, 'owner')).id_token) }),
    ],
  ])('leaves no grant when an authorization asks for another one %s', async (_name, parameters) => {
    const flow = new Flow(auth);
    await flow.tokens(SERVER);
    const { client_id, scope } = SERVER;
    const more = { client_id, scope, ...(await parameters()) };
    pass(MINUTES_10);
    const grants = () => auth.sql('SELECT grant_id FROM grants ORDER BY grant_id');
    const before = await grants();
    const page = await flow.browser.open(flow.authorizationUrl(more));
    expect(page.body).toContain('name="password"');
    const silent = await flow.browser.open(flow.authorizationUrl({ ...more, prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('login_required');
    expect(await grants()).toEqual(before);
  });
});
