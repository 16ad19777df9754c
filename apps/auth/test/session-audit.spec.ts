import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { PeopleService } from '#src/people/people.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const ANOTHER = 'another-long-password';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(async () => {
  await auth.sql('DELETE FROM sign_in_attempts');
  await auth.sql('DELETE FROM sessions');
});
afterAll(() => auth.stop());

async function signedIn(name: string, site = auth.site): Promise<{ flow: Flow; page: Page }> {
  const flow = new Flow(auth, site);
  return { flow, page: await flow.signIn(await flow.browser.open('/account'), name) };
}
/** Submits the form of the first session, which is the browser's own. */
async function endOwn({ flow, page }: { flow: Flow; page: Page }): Promise<void> {
  const form = postForms(page.body).find(({ action }) => action.endsWith('/end-session'));
  await flow.browser.open(form?.action ?? '', form?.fields);
}
const idOf = async (name: string): Promise<string> =>
  (await auth.app.get(PeopleService).byEmail(`${name}@school.example`))?.person_id ?? '';

interface Row {
  readonly site_id: string;
  readonly details: unknown;
}
async function rowsOf(personId: string): Promise<Row[]> {
  return auth.sql<Row>(
    `SELECT site_id, details FROM audit_log WHERE event = 'session.ended' AND person_id = $1 ORDER BY audit_id`,
    [personId],
  );
}

type Way = (browser: { flow: Flow; page: Page }, name: string) => Promise<unknown>;
const WAYS: Record<string, { reason: string; end: Way; name: string }> = {
  'signs out': {
    name: 'student',
    reason: 'signed_out',
    end: ({ flow }) => flow.signOut('here'),
  },
  'ends it in the list of the account page': { name: 'student', reason: 'signed_out', end: endOwn },
  'signs out everywhere': {
    name: 'student',
    reason: 'signed_out',
    end: ({ flow }) => flow.signOut('everywhere'),
  },
  'signs in again in the same browser': {
    name: 'student',
    reason: 'replaced',
    end: async ({ flow }, name) => flow.signIn(await flow.browser.open('/account/sign-in'), name),
  },
  'continues as another person': {
    name: 'student',
    reason: 'replaced',
    end: async ({ flow }) => flow.signIn(await flow.browser.open(flow.authorizationUrl({ prompt: 'login' })), 'both'),
  },
  'changes the account before an approval': {
    name: 'student',
    reason: 'replaced',
    end: async ({ flow }) => {
      const page = await flow.browser.open(flow.authorizationUrl({ prompt: 'consent' }));
      const form = postForms(page.body).find(({ action }) => action.endsWith('/switch'));
      return flow.browser.open(form?.action ?? '', form?.fields);
    },
  },
  'changes the password': {
    name: 'lecturer',
    reason: 'password_changed',
    end: async ({ flow }) =>
      flow.submit(await flow.browser.open('/account/change-password'), 'current', {
        current: PASSWORD,
        password: ANOTHER,
      }),
  },
  'is suspended': {
    name: 'admin',
    reason: 'person_suspended',
    end: async (_browser, name) => auth.app.get(PeopleService).suspend(await idOf(name)),
  },
};

describe('The audit entry of an ended session', () => {
  it.each(Object.entries(WAYS))(
    'audits the end of a session once when the person %s',
    async (_way, { name, reason, end }) => {
      const browser = await signedIn(name);
      const personId = await idOf(name);
      const before = await rowsOf(personId);
      await end(browser, name);
      const written = (await rowsOf(personId)).slice(before.length);
      expect(written).toEqual([{ site_id: auth.site.site_id, details: { reason } }]);
    },
  );

  it('audits the end of a session once when the person is deleted', async () => {
    await signedIn('stranger', auth.other);
    const personId = await idOf('stranger');
    await auth.app.get(Administration).deletePerson('stranger@school.example');
    expect(await rowsOf(personId)).toEqual([{ site_id: auth.other.site_id, details: { reason: 'person_deleted' } }]);
  });
});

describe('Ending all sessions', () => {
  it('audits the end of each session at its own site, and shows it there', async () => {
    await signedIn('both');
    await signedIn('both', auth.other);
    await signedIn('both', auth.other);
    const personId = await idOf('both');
    const before = (await rowsOf(personId)).length;
    await auth.app.get(PeopleService).signOutEverywhere(personId);
    const sites = (await rowsOf(personId)).slice(before).map(({ site_id }) => site_id);
    const wanted = [auth.site.site_id, auth.other.site_id, auth.other.site_id];
    expect(sites.toSorted()).toEqual(wanted.toSorted());
    const { flow } = await signedIn('owner');
    const { body } = await flow.browser.open('/admin/audit');
    const lines = body.split('<li>').filter((line) => line.includes('session.ended') && line.includes('both@'));
    const here = (await rowsOf(personId)).filter(({ site_id }) => site_id === auth.site.site_id);
    expect(lines).toHaveLength(here.length);
    expect(lines[0]).toContain('A session of The both ended: signed out');
  });

  it('writes no audit entry for an expired session', async () => {
    await signedIn('student');
    const personId = await idOf('student');
    await auth.sql('UPDATE sessions SET expires_at = now()');
    const before = (await rowsOf(personId)).length;
    await auth.app.get(PeopleService).signOutEverywhere(personId);
    expect(await rowsOf(personId)).toHaveLength(before);
  });
});
