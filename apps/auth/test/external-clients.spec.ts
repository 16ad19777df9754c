import { eventually } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { csrfOf, signedIn } from './admin-flow.js';
import { startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;
let owner: Flow;

beforeAll(async () => {
  auth = await startAuth();
  ({ flow: owner } = await signedIn(auth, '/admin'));
});
afterAll(() => auth.stop());

/** Returns the key of a stored client by document. */
async function document(client_id: string, name = 'A reader', site: TestSite = auth.site): Promise<string> {
  const [row] = await auth.sql<{ client_key: string }>(
    `with c as (
       insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review)
       values ($1, $2, $3, 'operator', 'document', '{https://app.example/cb}', '{openid}', 'unreviewed') returning client_key)
     insert into client_documents (client_key, expires_at) select client_key, now() + interval '1 hour' from c returning client_key`,
    [client_id, site.site_id, name],
  );
  return row?.client_key ?? '';
}

/** Registers a client on loopback. Returns its id. */
async function registered(client_name: string): Promise<string> {
  const { body } = await new Flow(auth).send('/api/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name, redirect_uris: ['http://127.0.0.1:7777/callback'] }),
  });
  return String(body['client_id']);
}

const keyOf = async (client_id: string): Promise<string> =>
  (await auth.sql<{ client_key: string }>('select client_key from clients where client_id = $1', [client_id]))[0]
    ?.client_key ?? '';
const reviewOf = async (client_key: string): Promise<string | null | undefined> =>
  (await auth.sql<{ review: string | null }>('select review from clients where client_key = $1', [client_key]))[0]
    ?.review;
const list = async (query = ''): Promise<string> => (await owner.browser.open(`/admin/clients${query}`)).body;
const open = (key: string): Promise<Page> => owner.browser.open(`/admin/clients/${key}`);

describe('External clients', () => {
  it('lists documents and used registrations of this site, with state and last use', async () => {
    await document('https://app.example/listed', '<b>Listed</b>');
    await document('https://other.example/elsewhere', 'Elsewhere', auth.other);
    const used = await registered('A used tool');
    await registered('An unused tool');
    await new Flow(auth).tokens({ client_id: used, scope: 'openid courses:read' }, 'owner');
    const body = await eventually(list, (shown) => shown.includes('A used tool'));
    expect(body).toContain('&lt;b&gt;Listed&lt;/b&gt;');
    expect(body).not.toContain('An unused tool');
    expect(body).not.toContain('Elsewhere');
    expect(body).toMatch(/Registered · last used <time/);
    expect(body).toContain('By document · never used');
    expect(await list('?source=loopback')).not.toContain('Listed');
    expect(await list('?source=document')).not.toContain('A used tool');
    expect(await list('?q=USED%20tool')).toContain('A used tool');
    expect(await list('?q=used%20tool')).not.toContain('Listed');
    expect(await list('?q=app.example%2Flisted')).toContain('Listed');
    expect(await list('?state=blocked')).toContain('No client matches');
  });

  it('pages through all clients once', async () => {
    await auth.sql(
      `with c as (
         insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review)
         select 'https://many.example/' || n, $1, 'Many ' || n, 'operator', 'document', '{https://many.example/cb}', '{openid}', 'unreviewed'
           from generate_series(1, 120) n returning client_key)
       insert into client_documents (client_key, expires_at) select client_key, now() from c`,
      [auth.site.site_id],
    );
    const seen: string[] = [];
    for (let path: string | undefined = '?q=many.example'; path !== undefined;) {
      const body = await list(path);
      const names = [...body.matchAll(/<bdi>(Many \d+)<\/bdi>/g)].map(([, name]) => name ?? '');
      expect(names.length).toBeLessThanOrEqual(50);
      seen.push(...names);
      path = /rel="next" href="\/admin\/clients([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
    expect(await list()).toContain('More than 99 waiting for a review');
  });

  it('approves a document, asks before it withdraws the approval or blocks, and unblocks', async () => {
    const key = await document('https://app.example/reviewed', '<b>Doc</b>');
    const approved = await owner.submit(await open(key), 'review', { review: 'approved' });
    expect(approved.body).toContain('&lt;b&gt;Doc&lt;/b&gt; is approved.');
    expect(await reviewOf(key)).toBe('approved');
    const withdraw = await owner.browser.open(`/admin/clients/${key}/review?to=unreviewed`);
    expect(withdraw.body).toContain('Withdraw the approval of &lt;b&gt;Doc&lt;/b&gt;?');
    expect(await reviewOf(key)).toBe('approved');
    await owner.submit(withdraw, 'review', {});
    expect(await reviewOf(key)).toBe('unreviewed');
    const block = await owner.browser.open(`/admin/clients/${key}/review?to=blocked`);
    for (const _twice of [1, 2]) await owner.submit(block, 'review', {});
    expect(await reviewOf(key)).toBe('blocked');
    await owner.submit(await open(key), 'review', { review: 'unreviewed' });
    expect(await reviewOf(key)).toBe('unreviewed');
    const acts = await auth.sql<{ to: string }>(
      `select details ->> 'to' as to from audit_log where event = 'client.reviewed' and client_id = $1 order by audit_id`,
      ['https://app.example/reviewed'],
    );
    expect(acts.map(({ to }) => to)).toEqual(['approved', 'unreviewed', 'blocked', 'unreviewed']);
  });

  it.each([
    ['name', `name = 'A Bank'`],
    ['redirect URIs', `redirect_uris = '{https://app.example/cb,https://evil.example/cb}'`],
  ])('refuses to approve a document whose %s changed after the page was shown', async (what, change) => {
    const key = await document(`https://app.example/changed-${what.length}`);
    const seen = await open(key);
    await auth.sql(`update clients set ${change} where client_key = $1`, [key]);
    const refused = await owner.submit(seen, 'review', { review: 'approved' });
    expect(refused.status).toBe(412);
    expect(refused.body).toContain('Nothing was approved');
    expect(refused.body).toContain(what === 'name' ? 'A Bank' : 'https://evil.example/cb');
    expect(await reviewOf(key)).toBe('unreviewed');
    await owner.submit(refused, 'review', { review: 'approved' });
    expect(await reviewOf(key)).toBe('approved');
  });

  it('refuses an approval without the values that were shown, and one from before another admin blocked it', async () => {
    const key = await document('https://app.example/unseen');
    const seen = await open(key);
    const bare = new URLSearchParams({ csrf: csrfOf(seen), client: key, review: 'approved' });
    expect((await owner.browser.open('/admin/clients', bare)).status).toBe(412);
    await owner.submit(await owner.browser.open(`/admin/clients/${key}/review?to=blocked`), 'review', {});
    expect((await owner.submit(seen, 'review', { review: 'approved' })).status).toBe(412);
    expect(await reviewOf(key)).toBe('blocked');
  });

  it('accepts the same approval twice', async () => {
    const key = await document('https://app.example/twice');
    const seen = await open(key);
    for (const _twice of [1, 2]) expect((await owner.submit(seen, 'review', { review: 'approved' })).status).toBe(200);
    expect(await reviewOf(key)).toBe('approved');
  });

  it('blocks a registered client with all its access, unblocks it, and never approves it', async () => {
    const client_id = await registered('A tool to block');
    const flow = new Flow(auth);
    const { access_token, refresh_token } = await flow.tokens({ client_id, scope: 'openid courses:read' }, 'owner');
    const key = await keyOf(client_id);
    const page = await open(key);
    expect(page.body).toContain('cannot be approved');
    const csrf = csrfOf(await owner.browser.open(`/admin/clients/${key}/review?to=blocked`));
    const approval = new URLSearchParams({ csrf, client: key, review: 'approved' });
    expect((await owner.browser.open('/admin/clients', approval)).status).toBe(404);
    const question = await owner.browser.open(`/admin/clients/${key}/review?to=blocked`);
    const blocked = await owner.submit(question, 'review', {});
    expect(blocked.body).toContain('A tool to block is blocked, and its access has ended.');
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.refresh(refresh_token, { client_id })).status).toBe(401);
    const refused = await flow.browser.open(flow.authorizationUrl({ client_id, scope: 'openid courses:read' }));
    expect(refused.status).toBe(400);
    expect(await list('?state=blocked')).toContain('A tool to block');
    await owner.submit(await open(key), 'review', { review: 'unreviewed' });
    expect(await reviewOf(key)).toBeNull();
    expect((await new Flow(auth).tokens({ client_id, scope: 'openid courses:read' }, 'owner')).scope).toContain(
      'courses',
    );
  });

  it('returns 404 for clients of another site, own applications and unknown ids', async () => {
    const elsewhere = await document('https://other.example/fenced', 'Fenced', auth.other);
    const own = await keyOf('first-member');
    const csrf = csrfOf(await open(await document('https://app.example/fence')));
    for (const key of [elsewhere, own, 'unknown', '%00', crypto.randomUUID()]) {
      expect((await open(key)).status).toBe(404);
      expect((await owner.browser.open(`/admin/clients/${key}/review?to=blocked`)).status).toBe(404);
      const form = new URLSearchParams({ csrf, client: key, review: 'blocked' });
      expect((await owner.browser.open('/admin/clients', form)).status).toBe(404);
    }
    expect([await reviewOf(elsewhere), await reviewOf(own)]).toEqual(['unreviewed', null]);
  });

  it('refuses an unknown state, a form without its token, and a student', async () => {
    const key = await document('https://app.example/refusals');
    const csrf = csrfOf(await open(key));
    const post = async (fields: Record<string, string>, flow = owner): Promise<number> =>
      (await flow.browser.open('/admin/clients', new URLSearchParams({ client: key, ...fields }))).status;
    expect(await post({ csrf, review: 'loved' })).toBe(404);
    expect(await post({ review: 'blocked' })).toBe(403);
    const { flow, page } = await signedIn(auth, '/account', 'student');
    expect(await post({ csrf: csrfOf(page), review: 'blocked' }, flow)).toBe(404);
    expect((await flow.browser.open(`/admin/clients/${key}`)).status).toBe(404);
    expect((await owner.browser.open(`/admin/clients/${key}/review?to=approved`)).status).toBe(404);
    expect(await reviewOf(key)).toBe('unreviewed');
  });

  it.each([
    `?q=${encodeURIComponent('"><script>alert(1)</script>')}`,
    `?q=${encodeURIComponent("' or 1=1 --")}`,
    '?q=a&q=b',
    "?after='%00&state=x&source[]=y",
    `?q=${'x'.repeat(10_000)}`,
    '?q=%E2%80%AE%E2%80%8B',
  ])('accepts hostile filters: %s', async (query) => {
    const page = await owner.browser.open(`/admin/clients${query}`);
    expect([page.status, page.body.includes('<script>alert')]).toEqual([200, false]);
    expect(page.body.length).toBeLessThan(60_000);
  });
});
