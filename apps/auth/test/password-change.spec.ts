import type { Page } from '@lyceum/testing';
import { PASSWORD_LIMITS } from '#src/people/password.policy.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const ANOTHER = 'another-long-password';
const CHANGE = '/account/change-password';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(() => auth.sql('DELETE FROM sign_in_attempts'));
afterAll(() => auth.stop());

async function signedIn(name: string, password = PASSWORD): Promise<Flow> {
  const flow = new Flow(auth);
  await flow.signIn(await flow.browser.open('/account'), name, password);
  return flow;
}
const change = async (flow: Flow, current: string, password: string): Promise<Page> =>
  flow.submit(await flow.browser.open(CHANGE), 'current', { current, password });
const at = async (flow: Flow): Promise<string> => (await flow.browser.open('/account')).url.pathname;
const statusOfSignIn = async (name: string, password: string): Promise<number> => {
  const flow = new Flow(auth);
  return (await flow.signIn(await flow.browser.open('/account'), name, password)).status;
};
const events = (name: string) =>
  auth.sql<{ event: string }>(
    `SELECT event FROM audit_log JOIN people USING (person_id) WHERE email = $1 ORDER BY audit_id`,
    [`${name}@school.example`],
  );

describe('Changing the password', () => {
  it('ends all other sessions and all grants, and renews the session of this browser', async () => {
    const [flow, other] = [await signedIn('student'), await signedIn('student')];
    const { access_token } = await other.tokens();
    const before = flow.browser.cookiesFor('/account');
    const done = await change(flow, PASSWORD, ANOTHER);
    expect([done.status, done.body.includes('Your password is changed')]).toEqual([200, true]);
    expect([await at(flow), await at(other)]).toEqual(['/account', '/account/sign-in']);
    expect(flow.browser.cookiesFor('/account')).not.toBe(before);
    const old = await flow.send('/account', { headers: { cookie: before } });
    expect([old.status, old.headers.get('location')]).toEqual([303, '/account/sign-in']);
    expect(await flow.isActive(access_token)).toBe(false);
    expect([await statusOfSignIn('student', PASSWORD), await statusOfSignIn('student', ANOTHER)]).toEqual([422, 200]);
    const names = (await events('student')).map(({ event }) => event);
    expect(names).toContain('password.changed');
    // The sign-ins before it, and the one after.
    expect(names.filter((event) => event === 'sign_in.succeeded')).toHaveLength(3);
  });

  it('requires the current password, and changes nothing without it', async () => {
    const [flow, other] = [await signedIn('admin'), await signedIn('admin')];
    for (const wrong of ['not-the-password', '', 'x'.repeat(PASSWORD_LIMITS.max + 1)]) {
      const refused = await change(flow, wrong, ANOTHER);
      expect([refused.status, refused.body.includes('The current password is wrong.')]).toEqual([422, true]);
      expect(refused.body).not.toContain(ANOTHER);
    }
    expect([await at(flow), await at(other)]).toEqual(['/account', '/account']);
    expect(await statusOfSignIn('admin', PASSWORD)).toBe(200);
    expect((await events('admin')).map(({ event }) => event)).not.toContain('password.changed');
  });

  it.each([PASSWORD_LIMITS.min - 1, PASSWORD_LIMITS.max + 1])(
    'refuses a new password of %d characters, and counts no failure',
    async (length) => {
      const flow = await signedIn('owner');
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const refused = await change(flow, PASSWORD, 'x'.repeat(length));
        expect([refused.status, refused.body.includes('A password has')]).toEqual([422, true]);
      }
      expect(await auth.sql('SELECT 1 FROM sign_in_attempts')).toEqual([]);
      expect(await statusOfSignIn('owner', PASSWORD)).toBe(200);
    },
  );

  it.each([PASSWORD_LIMITS.min, PASSWORD_LIMITS.max])('accepts a new password of %d characters', async (length) => {
    const flow = await signedIn('owner');
    const longest = 'é'.repeat(length);
    expect((await change(flow, PASSWORD, longest)).status).toBe(200);
    expect((await change(flow, longest, PASSWORD)).status).toBe(200);
  });

  it('shares the failure limit of a password change with the sign-in', async () => {
    const flow = await signedIn('lecturer');
    const failed = () =>
      auth.sql<{ n: number }>(`SELECT count(*)::int AS n FROM audit_log WHERE event = 'sign_in.failed'`);
    const [before] = await failed();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await change(flow, 'not-the-password', ANOTHER)).status).toBe(422);
    }
    const [after] = await failed();
    expect(after?.n).toBe((before?.n ?? 0) + 5);
    const slowed = await change(flow, PASSWORD, ANOTHER);
    expect([slowed.status, slowed.body.includes('Wait 5 seconds')]).toEqual([429, true]);
    const again = await flow.signIn(await flow.browser.open('/account/sign-in'), 'lecturer');
    expect(again.status).toBe(429);
    // A browser that never signed in to the account is counted separately.
    expect(await statusOfSignIn('lecturer', PASSWORD)).toBe(200);
    await auth.sql('UPDATE sign_in_attempts SET blocked_until = now()');
    expect((await change(flow, PASSWORD, ANOTHER)).status).toBe(200);
    expect(await auth.sql('SELECT 1 FROM sign_in_attempts')).toEqual([]);
  });

  it('changes the password once on two concurrent requests', async () => {
    const [one, other] = [await signedIn('both'), await signedIn('both')];
    const pages = [await one.browser.open(CHANGE), await other.browser.open(CHANGE)];
    const attempts = [one, other].map((flow, index) =>
      flow.submit(pages[index]!, 'current', { current: PASSWORD, password: `${ANOTHER}-${index}` }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await statusOfSignIn('both', `${ANOTHER}-${statuses.indexOf(200)}`)).toBe(200);
  });

  it('requires a session and its form token to change the password', async () => {
    const flow = await signedIn('owner');
    const page = await flow.browser.open(CHANGE);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const form = { current: PASSWORD, password: ANOTHER };
    const cookie = flow.browser.cookiesFor(CHANGE);
    const anonymous = new Flow(auth);
    expect((await anonymous.browser.open(CHANGE)).url.pathname).toBe('/account/sign-in');
    for (const { status } of [
      await anonymous.post(CHANGE, { ...form, csrf }),
      await flow.post(CHANGE, form, { cookie }),
      await flow.post(CHANGE, { ...form, csrf }, { cookie, origin: 'https://evil.example' }),
    ]) {
      expect(status).toBe(403);
    }
    expect(await statusOfSignIn('owner', PASSWORD)).toBe(200);
  });
});
