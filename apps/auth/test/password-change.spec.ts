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

describe('A form that is sent twice', () => {
  const values = { current: PASSWORD, password: ANOTHER };
  const sessionsOf = (name: string) =>
    auth.sql(`SELECT uid FROM sessions JOIN people USING (person_id) WHERE email = $1`, [`${name}@school.example`]);
  const times = async (name: string): Promise<readonly number[]> => {
    const all = (await events(name)).map(({ event }) => event);
    return ['password.changed', 'sign_in.failed'].map((event) => all.filter((one) => one === event).length);
  };

  it.each([
    ['at once', 'owner'],
    ['one after the other', 'admin'],
  ] as const)('changes the password once and goes to the same page, %s', async (when, name) => {
    const flow = await signedIn(name);
    const page = await flow.browser.open(CHANGE);
    const before = await times(name);
    const { first, pages } = await flow.submitTwice(page, 'current', values, when);
    for (const { status, url, body } of pages)
      expect([status, url.pathname, body.includes('Your password is changed')]).toEqual([200, '/account', true]);
    expect([await at(flow), await at(first), (await sessionsOf(name)).length]).toEqual(['/account', '/account', 1]);
    expect(await times(name)).toEqual([before[0]! + 1, before[1]]);
    // The browser received the first response.
    expect((await first.submit(page, 'current', values)).body).toContain('Your password is changed');
  });

  it('refuses a repetition without the new password, without the token, and after a minute', async () => {
    const flow = await signedIn('owner', ANOTHER);
    const page = await flow.browser.open(CHANGE);
    const former = flow.copy(CHANGE);
    const next = { current: ANOTHER, password: `${ANOTHER}-2` };
    expect((await flow.submit(page, 'current', next)).status).toBe(200);
    for (const form of [
      { ...next, password: `${ANOTHER}-3` },
      { ...next, csrf: 'x' },
    ])
      expect((await former.submit(page, 'current', form)).status).toBe(403);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const foreign = { origin: 'https://evil.example', cookie: former.browser.cookiesFor(CHANGE) };
    expect((await flow.post(CHANGE, { ...next, csrf }, foreign)).status).toBe(403);
    expect(await at(former)).toBe('/account/sign-in');
    const again = former.copy(CHANGE);
    expect((await again.submit(page, 'current', next)).status).toBe(200);
    await auth.sql('UPDATE password_changes SET expires_at = now()');
    expect((await former.submit(page, 'current', next)).status).toBe(403);
  });

  it('changes the password after refusals of the same form', async () => {
    const flow = await signedIn('admin', ANOTHER);
    const page = await flow.browser.open(CHANGE);
    const wrong = { current: 'not-the-password', password: PASSWORD };
    const refused = await Promise.all([0, 1].map(() => flow.submit(page, 'current', wrong)));
    expect(refused.map(({ status }) => status)).toEqual([422, 422]);
    expect((await flow.submit(page, 'current', { ...wrong, current: ANOTHER })).status).toBe(200);
    expect(await auth.sql('SELECT 1 FROM password_changes WHERE sealed_response IS NULL')).toEqual([]);
  });

  it('stores no cookie in clear', async () => {
    const flow = await signedIn('admin');
    await change(flow, PASSWORD, ANOTHER);
    const pairs = flow.browser.cookiesFor(CHANGE).split('; ');
    const value = pairs.find((pair) => pair.startsWith('lyceum='))?.split('=')[1] ?? '';
    expect(value.length).toBeGreaterThan(20);
    const text = `SELECT 1 FROM password_changes WHERE position($1::bytea IN sealed_response) > 0`;
    expect(await auth.sql(text, [Buffer.from(value)])).toEqual([]);
  });
});
