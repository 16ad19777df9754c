import { DeparturesService } from '#src/departures/departures.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { DOUBLE_CLICKS, Flow } from './flow.js';
import { signedIn } from './passkey-flow.js';
import { tablesWith } from './personal-data.js';

const LEAVE = '/account/leave';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(() => auth.sql('DELETE FROM sign_in_attempts'));
afterAll(() => auth.stop());

/** A new person of the sites, who is signed in at the first one. */
async function stage(name: string, sites = [auth.site]): Promise<Flow> {
  const person = {
    email: `${name}@school.example`,
    name: `The ${name}`,
    password: PASSWORD,
    roles: ['lecturer' as const],
  };
  await auth.apply({ sites: sites.map(({ site_id: _id, ...site }) => ({ ...site, people: [person], clients: [] })) });
  return signedIn(auth, name);
}
const leave = async (flow: Flow, current = PASSWORD) =>
  flow.submit(await flow.browser.open(LEAVE), 'current', { current });
const membership = (name: string) =>
  auth.sql<{ state: string; name: string | null }>(
    `select m.state, m.name from site_members m join people p using (person_id)
      where p.email = $1 and m.site_id = $2`,
    [`${name}@school.example`, auth.site.site_id],
  );
const audited = (reason: string) =>
  auth.sql<{ event: string; site_id: string; details: unknown }>(
    `select event, site_id, details from audit_log where details ->> 'left' = $1 or details ->> 'reason' = $1`,
    [reason],
  );

describe('Leaving a site', () => {
  it('erases a person without another site, and ends the session and all tokens', async () => {
    const flow = await stage('leaver');
    const { access_token } = await flow.tokens({}, 'leaver');
    await auth.sql(
      `insert into passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up,
                             transports)
       select $1, person_id, 'Key of the leaver', '\\x00'::bytea, '', 0, false, false, '{}' from people
        where email = 'leaver@school.example'`,
      [auth.site.site_id],
    );
    const question = await flow.browser.open(LEAVE);
    expect(question.body).toMatch(/Leave [\s\S]*You lose[\s\S]*These stay/);
    const done = await leave(flow);
    expect([done.status, done.url.pathname]).toEqual([200, '/account/sign-in']);
    expect(done.body).toContain('You have left First School. Your data there is erased.');
    expect((await flow.browser.open('/account')).url.pathname).toBe('/account/sign-in');
    expect(await flow.isActive(access_token)).toBe(false);
    // Without NATS the outbox keeps the events; their relay removes them.
    expect((await tablesWith(auth, 'leaver@', 'the leaver', 'The leaver')).filter((name) => name !== 'outbox')).toEqual(
      [],
    );
    expect(await audited('true')).toMatchObject([{ event: 'member.removed', site_id: auth.site.site_id }]);
    expect((await audited('member_left')).map(({ event }) => event)).toContain('grants.revoked');
  });

  it('keeps the person and the profile at another site', async () => {
    const flow = await stage('leaver-of-one', [auth.site, auth.other]);
    await leave(flow);
    expect(await membership('leaver-of-one')).toEqual([{ state: 'removed', name: null }]);
    const there = await signedIn(auth, 'leaver-of-one', auth.other);
    expect((await there.browser.open('/account')).body).toContain('The leaver-of-one');
    expect(await signedIn(auth, 'leaver-of-one').catch(String)).toContain('is not signed in');
  });

  it('keeps the mails about the account that wait, while the person has another site', async () => {
    for (const [name, sites, kept] of [
      ['changer', [auth.site, auth.other], ['email_changed', 'email_changed', 'password_changed']],
      ['changer-of-one', [auth.site], []],
    ] as const) {
      const flow = await stage(name, [...sites]);
      const of = [`${name}@school.example`];
      const [person] = await auth.sql<{ person_id: string }>('select person_id from people where email = $1', of);
      await auth.sql(
        `insert into mails (site_id, person_id, kind, address, due_at)
         select $1, $2, kind, address, now() + interval '1 hour'
           from unnest($3::text[], $4::text[]) as waiting (kind, address)`,
        [
          auth.site.site_id,
          person?.person_id,
          ['password_changed', 'email_changed', 'email_changed', 'passkey_removed', 'passkey_removed'],
          // The former address and the present one.
          [null, `former-${name}@school.example`, ...of, null, ...of],
        ],
      );
      await leave(flow);
      const left = await auth.sql<{ kind: string }>('select kind from mails where person_id = $1 order by 1', [
        person?.person_id,
      ]);
      expect(left.map(({ kind }) => kind)).toEqual(kept);
    }
  });

  it('hides the entries from before the return in the audit log of the person', async () => {
    const eventsOf = async (name: string): Promise<(string | undefined)[]> => {
      const owner = await signedIn(auth, 'owner');
      const headers = { cookie: owner.browser.cookiesFor('/admin') };
      const { body } = await owner.send(`/admin/audit/export?person=${name}%40school.example`, { headers });
      const [, ...lines] = String(body['text']).trimEnd().split('\r\n');
      return lines.map((line) => line.split(',')[1]);
    };
    const first = await stage('returner', [auth.site, auth.other]);
    await first.tokens({}, 'returner');
    expect(await eventsOf('returner')).toEqual(expect.arrayContaining(['consent.given', 'role.changed']));
    await leave(first);
    expect(await eventsOf('returner')).toEqual([]);
    await stage('returner', [auth.site, auth.other]);
    expect(await eventsOf('returner')).toEqual(['sign_in.succeeded', 'role.changed']);
  });

  it('erases a person while another row has the address that the id makes', async () => {
    const flow = await stage('crossed');
    await auth.sql(
      `insert into people (email, name) select person_id || '@deleted.invalid', 'Planted' from people where email = $1`,
      ['crossed@school.example'],
    );
    expect((await leave(flow)).url.pathname).toBe('/account/sign-in');
    expect(await auth.sql(`select 1 from people where email = 'crossed@school.example'`)).toEqual([]);
  });

  it('requires the current password, and counts wrong ones as failed sign-ins', async () => {
    const flow = await stage('stayer');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const refused = await leave(flow, 'not-the-password');
      expect([refused.status, refused.body]).toEqual([422, expect.stringContaining('id="current-error"')]);
    }
    expect((await leave(flow)).status).toBe(429);
    expect(await membership('stayer')).toMatchObject([{ state: 'active' }]);
  });

  it('refuses an owner, on the page and in a form', async () => {
    const flow = await signedIn(auth, 'owner');
    const page = await flow.browser.open(LEAVE);
    expect([page.status, page.body]).toEqual([409, expect.stringContaining('An owner cannot leave')]);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await flow.browser.open('/account')).body)?.[1] ?? '';
    const sent = await flow.browser.open(LEAVE, new URLSearchParams({ csrf, current: PASSWORD }));
    expect(sent.status).toBe(409);
    expect(await membership('owner')).toMatchObject([{ state: 'active' }]);
  });

  it('keeps a person who becomes an owner before the form arrives', async () => {
    await stage('promoted');
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    const person = await auth.app.get(PeopleService).byEmail('promoted@school.example');
    const member = await auth.app.get(PeopleService).atSite(person?.person_id ?? '', auth.site.site_id);
    await auth.sql(`update site_members set roles = '{owner}' where member_id = $1`, [member?.member_id]);
    expect(await auth.app.get(DeparturesService).leave(site!, member!)).toBe(false);
    expect(await membership('promoted')).toMatchObject([{ state: 'active' }]);
  });

  it.each(DOUBLE_CLICKS)('leads both clicks to the sign-in page, which says so, %s', async (when) => {
    const flow = await stage(`clicks-${when.replaceAll(' ', '-')}`);
    const { pages } = await flow.submitTwice(await flow.browser.open(LEAVE), 'current', { current: PASSWORD }, when);
    for (const { status, url, body } of pages)
      expect([status, url.pathname, body]).toEqual([200, '/account/sign-in', expect.stringContaining('You have left')]);
  });

  it('refuses a form of another session, and changes nothing for a person who has left', async () => {
    const flow = await stage('double');
    const cookie = flow.browser.cookiesFor(LEAVE);
    expect((await flow.post(LEAVE, { csrf: 'x', current: PASSWORD }, { cookie })).status).toBe(403);
    await leave(flow);
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    const [row] = await auth.sql<{ person_id: string; member_id: string }>(
      `select person_id, member_id from site_members where erased_at is not null order by joined_at desc limit 1`,
    );
    const gone = { ...row!, email: '', email_verified: false, name: '', picture: null, org_id: '', roles: [] };
    expect(await auth.app.get(DeparturesService).leave(site!, gone)).toBe(true);
  });
});
