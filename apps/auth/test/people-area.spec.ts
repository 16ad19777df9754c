import { randomUUID } from 'node:crypto';
import type { Page } from '@lyceum/testing';
import { csrfOf, signedIn } from './admin-flow.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;
let owner: Flow;
let admin: Flow;

beforeAll(async () => {
  auth = await startAuth();
  ({ flow: owner } = await signedIn(auth, '/admin'));
  ({ flow: admin } = await signedIn(auth, '/admin', 'admin'));
});
beforeEach(() => auth.resetLimits());
afterAll(() => auth.stop());

interface Row {
  readonly member_id: string;
  readonly state: string;
  readonly roles: string[];
}
async function member(email: string, site: TestSite = auth.site): Promise<Row | undefined> {
  const [row] = await auth.sql<Row>(
    `select m.member_id, m.state, m.roles from site_members m join people p using (person_id)
      where m.site_id = $1 and p.email = $2`,
    [site.site_id, email],
  );
  return row;
}
const named = async (name: string, site?: TestSite): Promise<string> =>
  (await member(`${name}@school.example`, site))?.member_id ?? '';
const open = (id: string, by = owner): Promise<Page> => by.browser.open(`/admin/people/${id}`);
const list = async (query = ''): Promise<string> => (await owner.browser.open(`/admin/people${query}`)).body;
const mailsTo = async (email: string): Promise<number> =>
  (await auth.sql(`select 1 from mails join people p using (person_id) where p.email = $1`, [email])).length;

async function invite(fields: Record<string, string> = {}, by = owner): Promise<{ email: string; page: Page }> {
  const email = `${randomUUID()}@example.com`;
  const form = await by.browser.open('/admin/invite');
  return { email, page: await by.submit(form, 'email', { email, role: 'lecturer', ...fields }) };
}

/** A member who is active, with a session here. */
async function active(role = 'student'): Promise<{ id: string; email: string; flow: Flow }> {
  const name = `person-${randomUUID().slice(0, 8)}`;
  const { site_id: _site, people: _people, clients: _clients, ...site } = auth.site;
  const email = `${name}@school.example`;
  await auth.apply({ sites: [{ ...site, people: [{ email, name, password: PASSWORD, roles: [role as 'student'] }] }] });
  const { flow } = await signedIn(auth, '/account', name);
  return { id: await named(name), email, flow };
}
async function isSignedIn(flow: Flow): Promise<boolean> {
  return (await flow.browser.open('/account')).url.pathname === '/account';
}

describe('The list of people', () => {
  it('shows the members of this site only, with roles and state, and finds them by part of name or address', async () => {
    const body = await list();
    expect(body).toContain('lecturer@school.example');
    expect(body).not.toContain('stranger@school.example');
    expect(await list('?q=THE%20lect')).toContain('lecturer@school.example');
    expect(await list('?q=THE%20lect')).not.toContain('student@school.example');
    expect(await list('?q=student%40school')).toContain('student@school.example');
    expect(await list('?role=owner')).toContain('owner@school.example');
    expect(await list('?role=owner')).not.toContain('student@school.example');
    expect(await list('?state=suspended')).toContain('No person matches');
    expect(await list('?q=stranger')).toContain('No person matches');
  });

  it('pages through all members once, also members of the same instant', async () => {
    await auth.sql(
      `with made as (
         insert into people (email, name) select 'many' || n || '@example.com', 'Many ' || n from generate_series(1, 120) n
         returning person_id)
       insert into site_members (site_id, person_id, roles, name, joined_at)
       select $1, person_id, '{student}', 'Many', date_trunc('day', now()) from made`,
      [auth.site.site_id],
    );
    const seen: string[] = [];
    for (let path: string | undefined = '?q=many'; path !== undefined;) {
      const body = await list(path);
      const found = [...body.matchAll(/many\d+@example\.com/g)].map(([email]) => email);
      expect(found.length).toBeLessThanOrEqual(50);
      seen.push(...found);
      path = /rel="next" href="\/admin\/people([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
  });

  it.each([
    `?q=${encodeURIComponent('"><script>alert(1)</script>')}`,
    `?q=${encodeURIComponent("%' or 1=1 --")}`,
    '?q=a&q=b',
    "?after='%00&role=x&state[]=y",
    `?q=${'x'.repeat(10_000)}`,
    '?q=%E2%80%AE%E2%80%8B',
  ])('accepts hostile filters: %s', async (query) => {
    const page = await owner.browser.open(`/admin/people${query}`);
    expect([page.status, page.body.includes('<script>alert')]).toEqual([200, false]);
    expect(page.body.length).toBeLessThan(60_000);
  });

  it('returns 404 for members of another site and unknown ids', async () => {
    for (const id of [await named('stranger', auth.other), 'unknown', '%00', randomUUID()])
      for (const path of ['', '/remove', '/suspend'])
        expect((await owner.browser.open(`/admin/people/${id}${path}`)).status).toBe(404);
    expect((await owner.browser.open(`/admin/people/${await named('student')}/loved`)).status).toBe(404);
  });
});

describe('An invitation', () => {
  it('invites a person with roles, mails a link, and says so', async () => {
    const { email, page } = await invite({ name: 'Mei <b>Lin</b>', email: ' New.Person@Example.com ' });
    expect(page.body).toContain('Mei &lt;b&gt;Lin&lt;/b&gt; is invited.');
    expect(await member('new.person@example.com')).toMatchObject({ state: 'invited', roles: ['lecturer'] });
    expect([await mailsTo('new.person@example.com'), await member(email)]).toEqual([1, undefined]);
  });

  it('invites once for a form that is sent twice', async () => {
    const form = await owner.browser.open('/admin/invite');
    const email = `${randomUUID()}@example.com`;
    const sent = await Promise.all([1, 2, 3].map(() => owner.submit(form, 'email', { email, role: 'student' })));
    expect(new Set(sent.map(({ url }) => url.pathname)).size).toBe(1);
    expect(await mailsTo(email)).toBe(1);
  });

  it('shows every fault beside its field at once', async () => {
    const { page } = await invite({ email: 'no address', name: 'x'.repeat(201), role: 'owner' });
    expect(page.status).toBe(422);
    for (const field of ['email', 'name', 'role']) expect(page.body).toContain(`id="${field}-error-0"`);
  });

  it('refuses an address at the domain of erased people', async () => {
    expect((await invite({ email: `${randomUUID()}@deleted.invalid` })).page.body).toContain('id="email-error-0"');
  });

  it('refuses the address of a member, and links to the member', async () => {
    const { page } = await invite({ email: 'student@school.example' });
    expect(page.status).toBe(422);
    expect(page.body).toContain(`href="/admin/people/${await named('student')}"`);
  });

  it('responds for a person of another site as for an unknown one', async () => {
    const { page } = await invite({ email: 'stranger@school.example' });
    expect(page.body).toContain('stranger@school.example is invited.');
    expect(page.body).not.toContain('The stranger');
    await owner.submit(await owner.browser.open(`${page.url.pathname}/remove`), 'member', {});
  });

  it('sends the mail again three times an hour, and withdraws the invitation after a question', async () => {
    const { email, page } = await invite();
    const path = page.url.pathname;
    const resend = async (): Promise<Page> => {
      const { body } = await owner.browser.open(path);
      const action = /action="\/admin\/people\/resend">([\s\S]*?)<\/form>/.exec(body)?.[1] ?? '';
      const fields: Record<string, string> = {};
      for (const [, name = '', value = ''] of action.matchAll(/name="(\w+)" value="([^"]*)"/g)) fields[name] = value;
      return owner.browser.open('/admin/people/resend', new URLSearchParams(fields));
    };
    for (const _time of [1, 2, 3]) expect((await resend()).body).toContain('gets another invitation');
    expect((await resend()).status).toBe(429);
    expect(await mailsTo(email)).toBe(4);
    const question = await owner.browser.open(`${path}/remove`);
    expect(question.body).toContain('Withdraw the invitation of');
    const gone = await owner.submit(question, 'member', {});
    expect([gone.url.pathname, gone.body.includes('is withdrawn')]).toEqual(['/admin/people', true]);
    expect((await owner.browser.open(path)).status).toBe(404);
    expect((await owner.submit(question, 'member', {})).url.pathname).toBe('/admin/people');
  });
});

describe('The page of a member', () => {
  it('saves roles, and the audit log says who changed them', async () => {
    const { id, email } = await active();
    const saved = await owner.submit(await open(id), 'role', { role: 'teaching_assistant' });
    expect(saved.body).toContain('are saved.');
    expect((await member(email))?.roles).toEqual(['teaching_assistant']);
    const { body } = await owner.browser.open(`/admin/audit?person=${encodeURIComponent(email)}&event=role.changed`);
    expect(body).toContain('from student to teaching assistant by The owner');
  });

  it('refuses roles from a stale page, and shows the current ones', async () => {
    const { id, email } = await active('admin');
    const [unchanged, stale] = [await open(id), await open(id)];
    await owner.submit(await open(id), 'role', { role: 'student' });
    for (const [form, role] of [
      [unchanged, 'admin'],
      [stale, 'lecturer'],
    ] as const) {
      const refused = await owner.submit(form, 'role', { role });
      expect([refused.status, refused.body.includes('Nothing was saved')]).toEqual([412, true]);
      expect((await member(email))?.roles).toEqual(['student']);
    }
  });

  it('saves roles once when the form is sent twice, and refuses other roles from the same form', async () => {
    const { id, email } = await active();
    const form = await open(id);
    for (const _twice of [1, 2])
      expect((await owner.submit(form, 'role', { role: 'lecturer' })).body).toContain('are saved.');
    const refused = await owner.submit(form, 'role', { role: 'admin' });
    expect([refused.status, refused.body.includes('Nothing was saved')]).toEqual([412, true]);
    expect((await member(email))?.roles).toEqual(['lecturer']);
  });

  it.each(['owner', 'everything', ''])('refuses to give the role %p', async (role) => {
    const { id, email } = await active();
    const refused = await owner.submit(await open(id), 'role', { role });
    expect([refused.status, (await member(email))?.roles]).toEqual([422, ['student']]);
  });

  it('suspends after a question, which ends the session, and reinstates', async () => {
    const { id, email, flow } = await active();
    const question = await owner.browser.open(`/admin/people/${id}/suspend`);
    expect([question.body.includes('Suspend person-'), await isSignedIn(flow)]).toEqual([true, true]);
    for (const _twice of [1, 2]) await owner.submit(question, 'member', {});
    expect([(await member(email))?.state, await isSignedIn(flow)]).toEqual(['suspended', false]);
    const page = await open(id);
    expect(page.body).toContain('/admin/people/reinstate');
    const form = new URLSearchParams({ csrf: csrfOf(page), member: id });
    expect((await owner.browser.open('/admin/people/reinstate', form)).body).toContain('is reinstated.');
    expect((await member(email))?.state).toBe('active');
    const { body } = await owner.browser.open('/admin/audit?event=member.suspended');
    expect(body).toMatch(/person-\w+ was suspended by The owner/);
  });

  it('removes after a question, and erases the profile here', async () => {
    const { id, flow } = await active();
    const question = await owner.browser.open(`/admin/people/${id}/remove`);
    expect(question.body).toContain('This cannot be undone');
    const gone = await owner.submit(question, 'member', {});
    expect([gone.url.pathname, gone.body.includes('is removed')]).toEqual(['/admin/people', true]);
    expect([(await open(id)).status, await isSignedIn(flow)]).toEqual([404, false]);
  });

  it('refuses own roles and state, and owners to an admin', async () => {
    const [own, other] = [await named('admin'), await named('owner')];
    for (const [id, reason] of [
      [own, 'cannot change your own roles'],
      [other, 'Only an owner can change an owner'],
    ] as const) {
      const page = await open(id, admin);
      expect(page.body).toContain(reason);
      expect(page.body).not.toContain('name="role"');
      const csrf = csrfOf(await admin.browser.open('/admin/invite'));
      for (const action of ['roles', 'suspend', 'remove']) {
        const form = new URLSearchParams({ csrf, member: id, role: 'student' });
        const refused = await admin.browser.open(`/admin/people/${action}`, form);
        expect([action, refused.status, refused.body.includes('role="alert"')]).toEqual([action, 403, true]);
      }
    }
    expect((await member('owner@school.example'))?.roles).toEqual(['owner']);
  });

  it('asks before an owner stops being one', async () => {
    const { id, email } = await active('owner');
    const asked = await owner.submit(await open(id), 'role', { role: 'admin' });
    expect(asked.body).toContain('Take the role of owner from');
    expect((await member(email))?.roles).toEqual(['owner']);
    await owner.submit(asked, 'confirmed', {});
    expect((await member(email))?.roles).toEqual(['admin']);
  });

  it('shows who tried to get into the account', async () => {
    const { id, email } = await active();
    const thief = new Flow(auth);
    await thief.submit(await thief.browser.open('/account/sign-in'), 'password', {
      email,
      password: 'not-the-password',
    });
    const { body } = await open(id);
    const path = /href="([^"]+event=sign_in\.failed)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const log = await owner.browser.open(path);
    expect(log.body).toMatch(/A sign-in as person-\w+ with a password failed/);
    expect(log.body).toMatch(/ · from [^<]+ · sign_in\.failed/);
  });

  it('changes nothing for members of another site, without the token, and for a student or lecturer', async () => {
    const { id, email } = await active();
    const csrf = csrfOf(await owner.browser.open('/admin/invite'));
    const elsewhere = await named('stranger', auth.other);
    for (const action of ['roles', 'resend', 'suspend', 'reinstate', 'remove']) {
      const path = `/admin/people/${action}`;
      const post = async (flow: Flow, fields: Record<string, string>): Promise<Page> =>
        flow.browser.open(path, new URLSearchParams({ role: 'admin', ...fields }));
      expect((await post(owner, { csrf, member: elsewhere })).url.pathname).toBe('/admin/people');
      expect((await post(owner, { csrf, member: '%00' })).status).toBe(404);
      expect((await post(owner, { member: id })).status).toBe(403);
      for (const name of ['student', 'lecturer']) {
        const { flow, page } = await signedIn(auth, '/account', name);
        expect((await post(flow, { csrf: csrfOf(page), member: id })).status).toBe(404);
      }
    }
    expect(await member(email)).toMatchObject({ state: 'active', roles: ['student'] });
    expect(await member('stranger@school.example', auth.other)).toMatchObject({ state: 'active', roles: ['student'] });
  });
});
