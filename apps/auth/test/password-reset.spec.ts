import { LIMITS } from '#src/limits/limits.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Mails, linkIn } from './mails.js';

const NEW_PASSWORD = 'another-long-password';
const mails = new Mails();

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth({ environment: { MAIL_DIRECTORY: mails.directory } });
});
afterAll(() => auth.stop());

async function requestReset(email: string, flow = new Flow(auth)) {
  const page = await flow.browser.open('/account/password');
  return flow.submit(page, 'email', { email });
}
/** The first mail to the address. */
const mailTo = async (email: string): Promise<string> => {
  await mails.last(email);
  return mails.to(email)[0] ?? '';
};
const mailsTo = (email: string): string[] => mails.to(email);

describe('Password reset', () => {
  it('sets a password by a mailed link once, and ends all sessions and grants', async () => {
    const email = 'student@school.example';
    const flow = new Flow(auth);
    const { access_token } = await flow.tokens();
    expect((await requestReset(email)).status).toBe(200);
    const path = linkIn(await mailTo(email));
    const page = await flow.browser.open(path);
    expect(page.body).toContain(email);
    expect((await flow.submit(page, 'password', { password: NEW_PASSWORD })).status).toBe(200);
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.browser.open(path)).status).toBe(404);
    const elsewhere = new Flow(auth);
    const signIn = await elsewhere.browser.open(elsewhere.authorizationUrl());
    expect((await elsewhere.signIn(signIn, 'student')).status).toBe(422);
    // The browser of the link is signed in, by a new session.
    expect((await flow.browser.open('/account')).body).toContain(`signed in as <bdi>${email}</bdi>`);
    await flow.signOut('here');
    const consent = await flow.signIn(await flow.browser.open(flow.authorizationUrl()), 'student', NEW_PASSWORD);
    expect(consent.status).not.toBe(422);
  });

  it('accepts the same password again, and still ends all sessions and grants', async () => {
    const email = 'admin@school.example';
    const flow = new Flow(auth);
    const { access_token } = await flow.tokens({}, 'admin');
    await requestReset(email);
    const other = new Flow(auth);
    const page = await other.browser.open(linkIn(await mailTo(email)));
    expect((await other.submit(page, 'password', { password: PASSWORD })).status).toBe(200);
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.browser.open(flow.authorizationUrl())).body).toContain('name="password"');
  });

  it('ends older reset links after one is used, and accepts none at another site', async () => {
    const email = 'both@school.example';
    await requestReset(email);
    const path = linkIn(await mailTo(email));
    expect((await new Flow(auth, auth.other).browser.open(path)).status).toBe(404);
    expect((await new Flow(auth).browser.open(path)).status).toBe(200);
  });

  it('stores a reset link as a digest only', async () => {
    const token =
      linkIn(await mailTo('both@school.example'))
        .split(/[/=]/)
        .at(-1) ?? '';
    const [row] = await auth.sql<{ text: string }>('SELECT string_agg(i::text, $1) AS text FROM invitations i', [' ']);
    expect(row?.text).not.toContain(token);
  });

  it('responds the same to a known address, an unknown one and one of another site', async () => {
    const [known, unknown, foreign] = [
      await requestReset('admin@school.example'),
      await requestReset('unknown@school.example'),
      await requestReset('stranger@school.example'),
    ];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect([foreign.status, foreign.body]).toEqual([known.status, known.body]);
    await auth.mailsSent();
    expect([mailsTo('unknown@school.example'), mailsTo('stranger@school.example')]).toEqual([[], []]);
  });

  it('refuses a reset form of another origin', async () => {
    const response = await new Flow(auth).post('/account/password', { email: 'owner@school.example', csrf: 'forged' });
    expect(response.status).toBe(403);
    expect(mailsTo('owner@school.example')).toEqual([]);
  });

  it(`sends one person at most ${LIMITS.password_resets.hits} mails an hour from all sources`, async () => {
    const email = 'lecturer@school.example';
    for (let count = 0; count < LIMITS.password_resets.hits + 1; count += 1) {
      expect((await requestReset(email)).status).toBe(200);
      await auth.mailsSent();
    }
    expect(mailsTo(email)).toHaveLength(LIMITS.password_resets.hits);
  });
});
