import { LIMITS } from '#src/limits/limits.js';
import { SLOW_DOWN, SLOW_DOWN_EVERYWHERE } from '#src/sign-ins/slow-down.policy.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Mails } from './mails.js';
import { sendCredential, signInPage, withPasskey } from './passkey-flow.js';
import { SignIns, WRONG } from './sign-ins.js';

const ANOTHER = 'another-long-password';
const mails = new Mails();
let auth: TestAuth;
let signIns: SignIns;

beforeAll(async () => {
  auth = await startAuth({ environment: { MAIL_DIRECTORY: mails.directory, TRUSTED_PROXIES: '127.0.0.1' } });
  signIns = new SignIns(auth);
});
beforeEach(() => signIns.forget());
afterAll(() => auth.stop());

const addressOf = (name: string): string => `${name}@school.example`;

it('blocks all browsers that are new to an account after wrong sign-ins far beyond the limit', async () => {
  const known = await signIns.knownBrowser('owner');
  const { hits } = LIMITS.failed_sign_ins_of_strangers;
  const browsers = Array.from({ length: 6 }, (_, index) => signIns.guess(hits / 6, new Flow(auth), `of-${index}`));
  expect((await Promise.all(browsers)).flat()).toEqual(Array<number>(hits).fill(422));
  expect((await signIns.signIn('lecturer')).status).toBe(429);
  expect((await signIns.signIn('unknown-0')).status).toBe(429);
  expect((await signIns.signIn('owner', PASSWORD, known)).url.pathname).toBe('/account');
});

describe('Failures of one account from all sources', () => {
  const ELSEWHERE = SLOW_DOWN_EVERYWHERE.freeAttempts;
  /** Each attempt from another address. */
  async function failEverywhere(name: string, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const flow = new Flow(auth, auth.site, undefined, { 'x-forwarded-for': `203.0.113.${time}` });
      expect((await signIns.signIn(name, WRONG, flow)).status).toBe(422);
    }
  }

  it.each(['student', 'unknown'])(
    'delays sign-ins of %s, also with the right password, and names the alternatives',
    async (name) => {
      await signIns.signIn(name, WRONG);
      await signIns.signIn(name, WRONG);
      await auth.sql('DELETE FROM sign_in_attempts');
      await failEverywhere(name, ELSEWHERE);
      const held = await signIns.signIn(name);
      expect(held.status).toBe(429);
      expect(held.body).toContain('Too many attempts');
      expect(held.body).toContain('A passkey or a link by email signs you in at once.');
      expect(held.body).toContain(`Wait ${SLOW_DOWN_EVERYWHERE.firstWaitSeconds} seconds`);
      // One before the last leaves it free, and a success resets the count.
      await auth.sql('DELETE FROM sign_in_attempts');
      await failEverywhere('admin', ELSEWHERE - 1);
      expect((await signIns.signIn('admin')).url.pathname).toBe('/account');
      await failEverywhere('admin', 1);
      expect((await signIns.signIn('admin')).url.pathname).toBe('/account');
    },
  );

  it('counts no attempt during the delay, and names this delay each time', async () => {
    await failEverywhere('student', ELSEWHERE);
    const rows = () =>
      auth.sql('SELECT encode(attempt_key, $1) AS key, failures FROM sign_in_attempts ORDER BY 1', ['hex']);
    const before = await rows();
    for (let time = 0; time <= SLOW_DOWN.freeAttempts; time += 1) {
      const flow = new Flow(auth, auth.site, undefined, { 'x-forwarded-for': '198.51.100.7' });
      const { status, body } = await signIns.signIn('student', PASSWORD, flow);
      const seconds = Number(/Wait (\d+) seconds/.exec(body)?.[1]);
      expect([status, seconds > SLOW_DOWN_EVERYWHERE.firstWaitSeconds / 2]).toEqual([429, true]);
    }
    expect(await rows()).toEqual(before);
  });

  it('does not delay browsers that signed in to the account before', async () => {
    const known = await signIns.knownBrowser('lecturer');
    await failEverywhere('lecturer', ELSEWHERE);
    expect((await signIns.signIn('lecturer')).status).toBe(429);
    expect((await signIns.signIn('lecturer', PASSWORD, known)).url.pathname).toBe('/account');
  });

  it('delays all known browsers of an account after failures from many of them, and no others', async () => {
    const now = Date.now();
    const browsers: Flow[] = [];
    for (let age = 0; age * SLOW_DOWN.freeAttempts <= ELSEWHERE; age += 1) {
      // Sign-ins of one second make one mark.
      jest.spyOn(Date, 'now').mockReturnValue(now - age * 1000);
      browsers.push(await signIns.knownBrowser('admin'));
    }
    jest.restoreAllMocks();
    const [unused, ...used] = browsers;
    for (const flow of used)
      for (let time = 0; time < SLOW_DOWN.freeAttempts; time += 1)
        expect((await signIns.signIn('admin', WRONG, flow)).status).toBe(422);
    expect((await signIns.signIn('admin', PASSWORD, unused)).status).toBe(429);
    expect((await signIns.signIn('admin')).url.pathname).toBe('/account');
  });

  it('accepts a passkey and a mailed link during the delay, and remembers the browser of the link', async () => {
    const { authenticator } = await withPasskey(auth, 'both');
    await failEverywhere('both', ELSEWHERE);
    expect((await signIns.signIn('both')).status).toBe(429);
    const { flow, page, options } = await signInPage(auth);
    expect((await sendCredential(flow, page, authenticator.get(options))).url.pathname).toBe('/account');
    const reset = new Flow(auth);
    const resetForm = await reset.browser.open('/account/password');
    const requestReset = () => reset.submit(resetForm, 'email', { email: addressOf('both') });
    const link = await mails.newLink(addressOf('both'), requestReset);
    await reset.submit(await reset.browser.open(link), 'password', { password: ANOTHER });
    expect((await signIns.signIn('both', ANOTHER)).status).toBe(429);
    expect((await signIns.signIn('both', ANOTHER, reset)).url.pathname).toBe('/account');
  });
});

it('blocks password resets of all new browsers far beyond the limit of a source', async () => {
  const { hits: most } = LIMITS.password_resets_of_strangers;
  const requestReset = async (name: string, flow = new Flow(auth)): Promise<number> =>
    (await flow.submit(await flow.browser.open('/account/password'), 'email', { email: addressOf(name) })).status;
  const known = await signIns.knownBrowser('owner');
  for (let time = 0; time < most; time += 1) expect(await requestReset(`unknown-${time}`)).toBe(200);
  expect(await requestReset('lecturer')).toBe(429);
  expect(await requestReset('owner', known)).toBe(200);
});
