import { Outbox } from '@lyceum/messaging';
import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { PasswordLinks } from '#src/password-links/password-links.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow, SERVER } from './flow.js';
import type { ApiResponse } from './flow.js';
import { Hold } from './hold.js';

/** The lock of an authorization without interaction that has read its session, and has written nothing yet. */
const BEFORE_THE_GRANT = 'LOCK TABLE consents IN ACCESS EXCLUSIVE MODE';
/** The lock before the code is written and the session is saved. */
const BEFORE_THE_CODE = 'LOCK TABLE authorization_codes IN EXCLUSIVE MODE';
const NAME = 'student';
const EMAIL = `${NAME}@school.example`;

let auth: TestAuth;
let personId: string;

beforeAll(async () => {
  auth = await startAuth();
  personId = (await auth.app.get(PeopleService).byEmail(EMAIL))?.person_id ?? '';
});
beforeEach(() => auth.sql('DELETE FROM sign_in_attempts'));
afterEach(async () => {
  await auth.app.get(PeopleService).reinstate(personId);
  await auth.app.get(PeopleService).signOutEverywhere(personId);
  await auth.sql(
    `UPDATE people SET password_hash = (SELECT password_hash FROM people WHERE email = 'both@school.example')
    WHERE person_id = $1`,
    [personId],
  );
});
afterAll(() => auth.stop());

/** A browser with a signed-in person who has approved the application. */
async function signedIn(): Promise<Flow> {
  const flow = new Flow(auth, auth.site, SERVER);
  await flow.callback();
  return flow;
}
const cookieOf = (flow: Flow): string => flow.browser.cookiesFor('/account');
const uidOf = (page: Page): string =>
  postForms(page.body)
    .find(({ action }) => action.endsWith('/end-session'))
    ?.fields.get('session') ?? '';
const get = (flow: Flow, path: string): Promise<ApiResponse> =>
  flow.send(path, { headers: { cookie: flow.browser.cookiesFor(path) } });
const statusWith = async (cookie: string): Promise<number> =>
  (await new Flow(auth, auth.site, SERVER).send('/account', { headers: { cookie } })).status;
const live = async (): Promise<string[]> => {
  const rows = await auth.sql<{ uid: string }>('SELECT uid FROM sessions WHERE person_id = $1', [personId]);
  return rows.map(({ uid }) => uid);
};
const grants = async (): Promise<number> =>
  (await auth.sql('SELECT 1 FROM grants WHERE person_id = $1', [personId])).length;
const setsSession = ({ headers }: ApiResponse): boolean =>
  headers.getSetCookie().some((line) => line.startsWith('lyceum='));
const codeIn = ({ headers }: ApiResponse): string | null =>
  new URL(headers.get('location') ?? '', auth.site.base_url).searchParams.get('code');

function endOne(flow: Flow, { body }: Page, session: string): Promise<ApiResponse> {
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '';
  return flow.post('/account/end-session', { csrf, session }, { cookie: cookieOf(flow) });
}

/** Ends of the session `uid` that keep the grants. */
const ENDS: Record<string, (flow: Flow, account: Page, uid: string) => Promise<unknown>> = {
  'is ended on the account page': (flow, account, session) => endOne(flow, account, session),
  'is signed out of': (flow) => flow.signOut('here'),
  'is signed out of everywhere': (flow) => flow.signOut('everywhere'),
  'ends with a change of the password': async () => {
    const people = auth.app.get(PeopleService);
    const proved = await people.provePassword(personId, PASSWORD);
    const next = await people.hashPassword('another-long-password', { email: EMAIL, siteName: '' });
    await auth.app.get(Outbox).transaction((tx) => people.changePassword(tx, personId, { proved: proved!, next }));
  },
  'ends with a reset of the password': async () => {
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    const link = await auth.app.get(Administration).resetPassword(site!, EMAIL);
    const given = { password: 'another-long-password', keep: [] };
    await auth.app.get(PasswordLinks).accept(site!, link.split('=').at(-1) ?? '', given);
  },
  'ends with a suspension': () => auth.app.get(PeopleService).suspend(personId),
};
/** Ends that also revoke the grants. */
const FINAL = Object.entries(ENDS).slice(2);

describe('A session that an authorization has read', () => {
  it.each(Object.entries(ENDS))(
    'does not store the session again when it %s during the authorization',
    async (_name, end) => {
      const flow = await signedIn();
      const account = await flow.browser.open('/account');
      const cookie = cookieOf(flow);
      const before = await grants();
      const hold = await Hold.of(auth, BEFORE_THE_GRANT);
      const authorization = get(flow, flow.authorizationUrl());
      await hold.waiting(1);
      await end(flow, account, uidOf(account));
      await hold.release();
      const response = await authorization;
      expect([response.status, codeIn(response), setsSession(response)]).toEqual([303, null, false]);
      expect(await live()).toEqual([]);
      expect(await statusWith(cookie)).toBe(303);
      expect(await grants()).toBeLessThanOrEqual(before);
    },
  );

  it('does not store a session that ends at the last moment, and keeps the issued grant', async () => {
    const flow = await signedIn();
    const account = await flow.browser.open('/account');
    const cookie = cookieOf(flow);
    const hold = await Hold.of(auth, BEFORE_THE_CODE);
    const authorization = get(flow, flow.authorizationUrl());
    await hold.waiting(1);
    await endOne(flow, account, uidOf(account));
    await hold.release();
    const response = await authorization;
    expect(setsSession(response)).toBe(false);
    expect((await flow.exchange(codeIn(response))).status).toBe(200);
    expect([await live(), await statusWith(cookie)]).toEqual([[], 303]);
  });

  it('saves a session under its name and under the new name of a concurrent authorization', async () => {
    const flow = await signedIn();
    const [uid] = await live();
    const page = await flow.browser.open(flow.authorizationUrl({ prompt: 'login consent' }));
    const hold = await Hold.of(auth, BEFORE_THE_GRANT);
    const authorization = get(flow, flow.authorizationUrl());
    await hold.waiting(1);
    const renaming = flow.signIn(page, NAME);
    // The consent page reads approvals, too: it waits under the new name.
    await hold.waiting(2);
    await hold.release();
    const response = await authorization;
    await renaming;
    expect([response.status, setsSession(response)]).toEqual([303, false]);
    expect((await flow.exchange(codeIn(response))).status).toBe(200);
    expect([await live(), await statusWith(cookieOf(flow))]).toEqual([[uid], 200]);
    expect(setsSession(await get(flow, flow.authorizationUrl()))).toBe(true);
    expect(await statusWith(cookieOf(flow))).toBe(200);
  });
});

describe('A sign-in', () => {
  /** An authorization after the sign-in form, before it continues. */
  async function signInPath(flow: Flow): Promise<string> {
    const page = await flow.browser.open(flow.authorizationUrl({ prompt: 'login' }));
    const form = postForms(page.body).find(({ names }) => names.has('password'));
    const fields = { ...Object.fromEntries(form?.fields ?? []), email: EMAIL, password: PASSWORD };
    const path = form?.action ?? '';
    const { status, headers } = await flow.post(path, fields, { cookie: flow.browser.cookiesFor(path) });
    for (const line of headers.getSetCookie()) flow.browser.keep(line);
    expect(status).toBe(303);
    return new URL(headers.get('location') ?? '').pathname;
  }

  it.each(FINAL)('discards a sign-in when the session %s before the authorization continues', async (_name, end) => {
    const [flow, other] = [new Flow(auth, auth.site, SERVER), await signedIn()];
    const account = await other.browser.open('/account');
    const path = await signInPath(flow);
    await end(other, account, uidOf(account));
    const response = await get(flow, path);
    expect([response.status, codeIn(response), setsSession(response)]).toEqual([303, null, false]);
    expect([await live(), await grants()]).toEqual([[], 0]);
  });

  it.each(FINAL)('discards a sign-in when the session %s while the authorization continues', async (_name, end) => {
    const [flow, other] = [new Flow(auth, auth.site, SERVER), await signedIn()];
    const account = await other.browser.open('/account');
    const path = await signInPath(flow);
    const hold = await Hold.of(auth, BEFORE_THE_GRANT);
    const resumed = get(flow, path);
    await hold.waiting(1);
    await end(other, account, uidOf(account));
    await hold.release();
    const response = await resumed;
    expect([response.status, codeIn(response), setsSession(response)]).toEqual([303, null, false]);
    expect([await live(), await grants()]).toEqual([[], 0]);
  });

  it('keeps a sign-in of the same person when the renewed session ends at the same moment', async () => {
    const [flow, other] = [await signedIn(), await signedIn()];
    const [own, account] = [await flow.browser.open('/account'), await other.browser.open('/account')];
    const old = cookieOf(flow);
    const path = await signInPath(flow);
    const hold = await Hold.of(auth, BEFORE_THE_GRANT);
    const resumed = get(flow, path);
    await hold.waiting(1);
    await endOne(other, account, uidOf(own));
    expect(await live()).toEqual([uidOf(account)]);
    await hold.release();
    const response = await resumed;
    expect([setsSession(response), (await flow.exchange(codeIn(response))).status]).toEqual([true, 200]);
    for (const line of response.headers.getSetCookie()) flow.browser.keep(line);
    expect([await statusWith(old), await statusWith(cookieOf(flow))]).toEqual([303, 200]);
  });

  it('continues a sign-in once when it is resumed twice at the same time', async () => {
    const flow = await signedIn();
    const path = await signInPath(flow);
    const hold = await Hold.of(auth, 'SELECT 1 FROM interactions FOR UPDATE');
    const resumed = [get(flow, path), get(flow, path)];
    await hold.waiting(2);
    await hold.release();
    const [one, other] = await Promise.all(resumed);
    expect([one?.status, other?.status]).toEqual([303, 303]);
    // The second response repeats the first, with its cookies.
    expect(other?.headers.get('location')).toBe(one?.headers.get('location'));
    expect(other?.headers.getSetCookie()).toEqual(one?.headers.getSetCookie());
    expect(await live()).toHaveLength(1);
  });

  it('discards an account sign-in while all sessions end, and accepts it afterwards', async () => {
    await signedIn();
    const flow = new Flow(auth, auth.site, SERVER);
    const page = await flow.browser.open('/account');
    const hold = await Hold.of(auth, 'SELECT 1 FROM grants WHERE person_id = $1 FOR UPDATE', [personId]);
    const ended = auth.app.get(PeopleService).signOutEverywhere(personId);
    await hold.waiting(1);
    const signIn = flow.signIn(page, NAME);
    await hold.waiting(2);
    await hold.release();
    await ended;
    const refused = await signIn;
    expect([refused.status, await live()]).toEqual([422, []]);
    const again = await flow.signIn(refused, NAME);
    expect([again.status, again.url.pathname, (await live()).length]).toEqual([200, '/account', 1]);
  });

  it('ends a session that is being written while all sessions end', async () => {
    const hold = await Hold.of(
      auth,
      `WITH held AS (SELECT person_id FROM people WHERE person_id = $1 FOR SHARE)
       INSERT INTO sessions (session_hash, uid, site_id, person_id, payload, expires_at)
       SELECT 'hash', 'uid', $2, person_id, '{}', now() + interval '1 hour' FROM held`,
      [personId, auth.site.site_id],
    );
    const ended = auth.app.get(PeopleService).signOutEverywhere(personId);
    await hold.waiting(1);
    await hold.release();
    await ended;
    expect(await live()).toEqual([]);
  });
});

describe('An approval', () => {
  it('issues nothing for an approval while all sessions of the person end', async () => {
    await signedIn();
    const flow = await signedIn();
    const page = await flow.browser.open(flow.authorizationUrl({ prompt: 'consent' }));
    const hold = await Hold.of(auth, 'SELECT 1 FROM grants WHERE person_id = $1 FOR UPDATE', [personId]);
    const ended = auth.app.get(PeopleService).signOutEverywhere(personId);
    await hold.waiting(1);
    const approval = flow.decide(page, 'approve');
    await hold.waiting(2);
    await hold.release();
    await ended;
    expect((await approval).status).toBe(400);
    expect([await live(), await grants()]).toEqual([[], 0]);
  });
});
