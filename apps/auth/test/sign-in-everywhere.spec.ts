import type { Page } from '@lyceum/testing';
import { LIMITS } from '#src/limits/limits.service.js';
import { SLOW_DOWN_EVERYWHERE } from '#src/login/slow-down.policy.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Mails } from './mails.js';
import { answer, asked, withPasskey } from './passkey-flow.js';

const ANOTHER = 'another-long-password';
/** Refused without a hash, so that many cost nothing. */
const WRONG = 'x'.repeat(300);

const mails = new Mails();
let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth({ environment: { MAIL_DIRECTORY: mails.directory, TRUSTED_PROXIES: '127.0.0.1' } });
});
beforeEach(async () => {
  await auth.sql('DELETE FROM sign_in_attempts');
  await auth.sql('DELETE FROM rate_limits');
});
afterAll(() => auth.stop());

const addressOf = (name: string): string => `${name}@school.example`;
/** At the account, in a browser without cookies unless one is given. */
const signIn = async (name: string, password = PASSWORD, flow = new Flow(auth)): Promise<Page> =>
  flow.signIn(await flow.browser.open('/account/sign-in'), name, password);
/** In a browser that was used to sign in before, and is signed out. */
async function knownBrowser(name: string): Promise<Flow> {
  const flow = new Flow(auth);
  await signIn(name, PASSWORD, flow);
  await flow.submit(await flow.browser.open('/account'), 'where', { where: 'here' });
  return flow;
}
/** So many wrong sign-ins from the one address that all tests have, each of an account of its own. */
async function guess(times: number, flow = new Flow(auth), prefix = 'nobody'): Promise<number[]> {
  let page = await flow.browser.open('/account/sign-in');
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    page = await flow.signIn(page, `${prefix}-${time}`, WRONG);
    statuses.push(page.status);
  }
  return statuses;
}
/** All windows that are open stay open: a test may cross the end of one. */
const holdWindows = (): Promise<unknown> =>
  auth.sql(
    `INSERT INTO rate_limits (limit_key, window_start, hits)
     SELECT limit_key, window_start + make_interval(secs => $1), hits FROM rate_limits ON CONFLICT DO NOTHING`,
    [LIMITS.failed_sign_ins.windowSeconds],
  );

it('Wrong sign-ins far beyond that hold every browser that the account did not sign in with before', async () => {
  const known = await knownBrowser('owner');
  const { hits } = LIMITS.failed_sign_ins_of_strangers;
  const browsers = Array.from({ length: 6 }, (_, index) => guess(hits / 6, new Flow(auth), `of-${index}`));
  expect((await Promise.all(browsers)).flat()).toEqual(Array<number>(hits).fill(422));
  await holdWindows();
  expect((await signIn('lecturer')).status).toBe(429);
  expect((await signIn('nobody-knows')).status).toBe(429);
  expect((await signIn('owner', PASSWORD, known)).url.pathname).toBe('/account');
});

describe('Failures of one account from everywhere', () => {
  const ELSEWHERE = SLOW_DOWN_EVERYWHERE.freeAttempts;
  /** Each from an address of its own. */
  async function failEverywhere(name: string, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const flow = new Flow(auth, auth.site, undefined, { 'x-forwarded-for': `203.0.113.${time}` });
      expect((await signIn(name, WRONG, flow)).status).toBe(422);
    }
  }

  it.each(['student', 'nobody'])(
    'slow down %s, also with the right password, and say the ways out',
    async (name) => {
      await signIn(name, WRONG);
      await signIn(name, WRONG);
      await auth.sql('DELETE FROM sign_in_attempts');
      await failEverywhere(name, ELSEWHERE);
      const held = await signIn(name);
      expect(held.status).toBe(429);
      expect(held.body).toContain('There were too many attempts');
      expect(held.body).toContain('A passkey, or a link by mail, signs you in at once.');
      expect(held.body).toContain(`Please wait ${SLOW_DOWN_EVERYWHERE.firstWaitSeconds} seconds`);
      // One before the last leaves it free, and a success forgets them all.
      await auth.sql('DELETE FROM sign_in_attempts');
      await failEverywhere('admin', ELSEWHERE - 1);
      expect((await signIn('admin')).url.pathname).toBe('/account');
      await failEverywhere('admin', 1);
      expect((await signIn('admin')).url.pathname).toBe('/account');
    },
    60_000,
  );

  it('leave the browsers free that signed in to it before', async () => {
    const known = await knownBrowser('lecturer');
    await failEverywhere('lecturer', ELSEWHERE);
    expect((await signIn('lecturer')).status).toBe(429);
    expect((await signIn('lecturer', PASSWORD, known)).url.pathname).toBe('/account');
  }, 60_000);

  it('leave a passkey and a link by mail as ways out, and the link makes the browser known', async () => {
    const { authenticator } = await withPasskey(auth, 'both');
    await failEverywhere('both', ELSEWHERE);
    expect((await signIn('both')).status).toBe(429);
    const { flow, page, options } = await asked(auth);
    expect((await answer(flow, page, authenticator.get(options))).url.pathname).toBe('/account');
    const reset = new Flow(auth);
    const asking = await reset.browser.open('/account/password');
    const ask = () => reset.submit(asking, 'email', { email: addressOf('both') });
    const link = await mails.newLink(addressOf('both'), ask);
    await reset.submit(await reset.browser.open(link), 'password', { password: ANOTHER });
    expect((await signIn('both', ANOTHER)).status).toBe(429);
    expect((await signIn('both', ANOTHER, reset)).url.pathname).toBe('/account');
  }, 60_000);
});

it('Requests for another password far beyond the limit of a source hold every browser but known ones', async () => {
  const { hits: most } = LIMITS.password_resets_of_strangers;
  const ask = async (name: string, flow = new Flow(auth)): Promise<number> =>
    (await flow.submit(await flow.browser.open('/account/password'), 'email', { email: addressOf(name) })).status;
  const known = await knownBrowser('owner');
  for (let time = 0; time < most; time += 1) expect(await ask(`nobody-${time}`)).toBe(200);
  expect(await ask('lecturer')).toBe(429);
  expect(await ask('owner', known)).toBe(200);
});
