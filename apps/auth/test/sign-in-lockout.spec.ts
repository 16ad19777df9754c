import { LIMITS } from '#src/limits/limits.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { sendCredential, signInPage, withPasskey } from './passkey-flow.js';
import { SignIns, WRONG } from './sign-ins.js';

let auth: TestAuth;
let signIns: SignIns;

beforeAll(async () => {
  auth = await startAuth();
  signIns = new SignIns(auth);
});
beforeEach(() => signIns.forget());
afterAll(() => auth.stop());

const addressOf = (name: string): string => `${name}@school.example`;

describe('Sixty wrong sign-ins of one source', () => {
  const { hits } = LIMITS.failed_sign_ins;

  it('lets another person behind the same address sign in, in a new browser and in a known one', async () => {
    const known = await signIns.knownBrowser('owner');
    expect((await signIns.signIn('student', WRONG)).status).toBe(422);
    expect(await signIns.guess(hits - 1)).toEqual(Array<number>(hits - 1).fill(422));
    const inNewBrowser = await signIns.signIn('lecturer');
    expect([inNewBrowser.status, inNewBrowser.url.pathname]).toEqual([200, '/account']);
    expect((await signIns.signIn('owner', PASSWORD, known)).url.pathname).toBe('/account');
    const authorization = new Flow(auth);
    const page = await authorization.signIn(
      await authorization.browser.open(authorization.authorizationUrl()),
      'admin',
    );
    expect(page.status).toBe(200);
    const elsewhere = new Flow(auth, auth.other);
    const signInThere = await elsewhere.browser.open('/account/sign-in');
    expect((await elsewhere.signIn(signInThere, 'stranger')).url.pathname).toBe('/account');
  });

  it('blocks the failed accounts at that address, except in browsers that signed in to them before', async () => {
    const known = await signIns.knownBrowser('student');
    expect((await signIns.signIn('student', WRONG)).status).toBe(422);
    expect((await signIns.signIn('lecturer', WRONG)).status).toBe(422);
    await signIns.guess(hits);
    const held = await signIns.signIn('student');
    expect([held.status, held.body.includes('Too many attempts')]).toEqual([429, true]);
    // A browser known to one account is not known to another.
    expect((await signIns.signIn('lecturer', PASSWORD, known)).status).toBe(429);
    expect((await signIns.signIn('student', PASSWORD, known)).url.pathname).toBe('/account');
  });

  it('counts wrong sign-ins per site, so that the same accounts work at another site', async () => {
    await signIns.signIn('both', WRONG);
    await signIns.guess(hits);
    expect((await signIns.signIn('both')).status).toBe(429);
    const elsewhere = new Flow(auth, auth.other);
    const page = await elsewhere.browser.open('/account/sign-in');
    expect((await elsewhere.signIn(page, 'both')).url.pathname).toBe('/account');
  });

  it('blocks no passkey after wrong sign-ins', async () => {
    const { authenticator } = await withPasskey(auth, 'admin');
    await signIns.signIn('admin', WRONG);
    await signIns.guess(hits + 5);
    expect((await signIns.signIn('admin')).status).toBe(429);
    const { flow, page, options } = await signInPage(auth);
    expect((await sendCredential(flow, page, authenticator.get(options))).url.pathname).toBe('/account');
    let stranger = await signInPage(auth);
    for (let time = 0; time < hits + 5; time += 1) {
      const refused = await sendCredential(stranger.flow, stranger.page, '{}');
      expect(refused.status).toBe(422);
      stranger = { ...stranger, page: refused };
    }
    const [row] = await auth.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM audit_log WHERE event = 'sign_in.failed' AND details ->> 'method' = 'passkey'`,
    );
    expect(row?.n).toBeLessThanOrEqual(2 * hits);
  });

  it('refuses a device cookie that is forged, of another site, or too old', async () => {
    const known = await signIns.knownBrowser('student');
    const cookies = known.browser.cookiesFor('/account');
    const device = /lyceum\.device=([^;]+)/.exec(cookies)?.[1] ?? '';
    const [issued = '', tag = ''] = device.split('.');
    await signIns.signIn('student', WRONG);
    await signIns.guess(hits);
    const statusWith = async (value: string): Promise<number> => {
      const flow = new Flow(auth);
      flow.browser.keep(`lyceum.device=${value}; path=/`);
      return (await signIns.signIn('student', PASSWORD, flow)).status;
    };
    expect(await statusWith(device)).toBe(200);
    const older = (Number.parseInt(issued, 36) - 1).toString(36);
    const made = [
      `${issued}.${tag.toUpperCase()}x`,
      `${older}.${tag}`,
      'x',
      `.${tag}`,
      `${issued}.`,
      `${'x'.repeat(3000)}`,
    ];
    for (const value of made) expect([value, await statusWith(value)]).toEqual([value, 429]);
  });
});

describe('Password resets of one source', () => {
  const { hits } = LIMITS.password_resets_by_source;
  const requestReset = async (name: string, flow = new Flow(auth)): Promise<number> =>
    (await flow.submit(await flow.browser.open('/account/password'), 'email', { email: addressOf(name) })).status;

  it('lets another person behind the same source request one reset', async () => {
    for (let time = 0; time < hits; time += 1) expect(await requestReset(`unknown-${time}`)).toBe(200);
    const known = await signIns.knownBrowser('owner');
    expect(await requestReset('admin')).toBe(200);
    expect(await requestReset('admin')).toBe(429);
    expect(await requestReset('unknown-1')).toBe(429);
    expect([await requestReset('owner', known), await requestReset('owner', known)]).toEqual([200, 200]);
  });
});

it('audits the source of a successful sign-in', async () => {
  const { authenticator } = await withPasskey(auth, 'admin', {});
  const { flow, page, options } = await signInPage(auth);
  await sendCredential(flow, page, authenticator.get(options));
  const rows = await auth.sql<{ method: string; source: string }>(
    `SELECT DISTINCT details ->> 'method' AS method, details ->> 'source' AS source FROM audit_log
      WHERE event = 'sign_in.succeeded' ORDER BY 1`,
  );
  expect(rows).toEqual([
    { method: 'passkey', source: '127.0.0.1' },
    { method: 'password', source: '127.0.0.1' },
  ]);
});
