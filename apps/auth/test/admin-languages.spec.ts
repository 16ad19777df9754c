import type { Page } from '@lyceum/testing';
import { REVOCATION_REASONS } from '#src/audit/audit-entry.js';
import { AUDIT_EVENTS } from '#src/audit/audit-sentence.policy.js';
import { baseOf, csrfOf, signedIn, switchConnections, textOf } from './admin-flow.js';
import { CALLBACK, SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { CHINESE, expectChinese } from './page-language.js';

/** Details of entries that change the sentence. Each event has an entry without details, too. */
const DETAILS: readonly (readonly [string, object])[] = [
  ...['password', 'passkey', 'link'].map((method) => ['sign_in.succeeded', { method }] as const),
  ...['password', 'passkey'].map((method) => ['sign_in.failed', { method, source: '0:0:0:0::/64' }] as const),
  ...[...REVOCATION_REASONS, 'replaced'].flatMap((reason) => [
    ['grants.revoked', { reason }] as const,
    ['session.ended', { reason }] as const,
  ]),
  ...['approved', 'blocked', 'unreviewed'].map((to) => ['client.reviewed', { from: 'unreviewed', to }] as const),
  ['client.reviewed', { from: 'blocked', to: 'unreviewed' }],
  ['client.changed', { from: {} }],
  ['client.changed', { secret: 'renewed', overlap: 0 }],
  ['client.changed', { secret: 'previous_ended' }],
  [
    'client.changed',
    { changed: ['name', 'redirect_uris', 'post_logout_redirect_uris', 'compatibility_mode', 'scopes'] },
  ],
  ['role.changed', { before: ['student'], after: ['owner', 'admin', 'lecturer', 'teaching_assistant'] }],
  ['member.removed', { left: true }],
  ['site.changed', { name: 'x', slug: 'x', state: 'active', mcp_connections: true }],
  ['site.changed', { base_url: 'x', before: 'y' }],
  [
    'site.changed',
    {
      settings: {
        loopback_registration: true,
        localhost_registration: true,
        cimd_hosts: [],
        cimd_open: true,
        sign_up: true,
        sign_in_links: true,
      },
    },
  ],
];

let auth: TestAuth;
let owner: Flow;

beforeAll(async () => {
  auth = await startAuth({ environment: SOON_SEEN });
  owner = new Flow(auth, auth.site, { client_id: 'first-member' }, { ...CHINESE, accept: 'text/html' });
  await owner.signIn(await owner.browser.open('/admin'), 'owner');
});
afterAll(() => auth.stop());

const seen = new Set<string>();
async function chinese(path: string | Promise<Page>): Promise<Page> {
  const page = typeof path === 'string' ? await owner.browser.open(path) : await path;
  seen.add(`${page.url.pathname} ${page.status}`);
  expectChinese(page);
  return page;
}
/** The page after a form with these fields. */
const post = (path: string, csrf: string, fields: Readonly<Record<string, string>>): Promise<Page> =>
  chinese(owner.browser.open(path, new URLSearchParams({ csrf, ...fields })));

async function idOf(name: string): Promise<string> {
  const found = `select m.member_id from site_members m join people p using (person_id) where p.email = $1 and m.site_id = $2`;
  const values = [`${name}@school.example`, auth.site.site_id];
  return (await auth.sql<{ member_id: string }>(found, values))[0]?.member_id ?? '';
}

describe('The language of the admin area', () => {
  it('shows the frame and the settings in Chinese', async () => {
    await chinese('/admin');
    await chinese('/admin/nothing-here');
    await chinese('/admin/activity');
    await chinese('/admin/mcp-connections/off');
    const connections = await chinese('/admin/mcp-connections');
    const csrf = csrfOf(connections);
    // admin-api does not run here.
    expect((await post('/admin/mcp-connections', csrf, { enabled: 'yes' })).status).toBe(503);
    const settings = await chinese('/admin/settings');
    const switched = { on: 'cimd_open', base: baseOf(settings) };
    expect((await post('/admin/settings', csrf, { on: 'cimd_open' })).body).toContain('請再修改一次');
    expect((await post('/admin/settings', csrf, switched)).body).toContain('已儲存設定');
    await chinese('/admin/client-hosts');
    expect((await post('/admin/client-hosts', csrf, { host: 'app.example.com' })).body).toContain('app.example.com');
    expect((await post('/admin/client-hosts', csrf, { host: 'x' })).status).toBe(422);
    expect((await post('/admin/client-hosts/remove', csrf, { host: 'app.example.com' })).body).toContain('不再接受');
    expect((await post('/admin/settings', 'forged', {})).status).toBe(403);
    await switchConnections(auth, true);
    await chinese('/admin');
    await chinese('/admin/settings');
    await chinese('/admin/mcp-connections');
    await switchConnections(auth, false);
    await chinese('/admin/mcp-connections');
  });

  it('shows applications, their secrets and faults in Chinese', async () => {
    await switchConnections(auth, true);
    await chinese('/admin/applications');
    const csrf = csrfOf(await chinese('/admin/new-application?for=operator'));
    for (const path of ['', '?for=member', '?for=identity']) await chinese(`/admin/new-application${path}`);
    const uris = 'myapp://cb http://a.example/ https://a.example/#x javascript:alert(1) https://a:b@c.example/ x';
    for (const [kind, scope] of [
      ['member', 'openid'],
      ['member', 'x'],
      ['identity', 'email'],
    ] as const) {
      const wrong = { for: kind, name: '', redirect_uris: uris, post_logout_redirect_uris: 'x', scope };
      expect((await post('/admin/applications', csrf, wrong)).status).toBe(422);
    }
    for (const name of ['x'.repeat(121), 'a\u202eb'])
      await post('/admin/applications', csrf, { name, scope: 'openid' });
    const many = Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`).join(' ');
    const long = `https://a.example/${'x'.repeat(1024)}`;
    for (const redirect_uris of [many, long]) await post('/admin/applications', csrf, { name: 'A', redirect_uris });
    const given = {
      for: 'member',
      kind: 'confidential',
      name: 'Notes',
      redirect_uris: CALLBACK,
      scope: 'account:read',
    };
    const page = await post('/admin/applications', csrf, given);
    expect(page.body).toContain('它只會顯示這一次');
    const application = textOf(page, 'client_id');
    const path = `/admin/applications/${application}`;
    for (const more of ['', '/edit', '/rotate', '/delete']) await chinese(path + more);
    const edited = { ...given, application, base: baseOf(await chinese(`${path}/edit`)) };
    await post('/admin/applications/change', csrf, { ...edited, name: '' });
    await post('/admin/applications/change', csrf, { ...edited, name: 'Notes 2' });
    const rotated = await post('/admin/applications/rotate', csrf, { application, overlap: '24h' });
    expect(rotated.body).toMatch(/舊的將於<time[^>]+>\d+ 小時後<\/time>失效/);
    for (const more of ['/rotate', '/end-secret']) await chinese(path + more);
    await chinese('/admin/applications');
    await post('/admin/applications/end-secret', csrf, { application });
    expect((await post('/admin/applications/delete', csrf, { client_id: application })).body).toContain('已刪除');
  });

  it('shows external clients and their reviews in Chinese', async () => {
    await chinese('/admin/clients?q=none-matches');
    const client = `insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review, last_used_at)
                    values ($1, $2, 'Notes', 'operator', $3, '{https://app.example/cb}', '{openid}', $4, $5) returning client_key`;
    const made = async (id: string, source: string, review: string | null): Promise<string> => {
      const values = [id, auth.site.site_id, source, review, source === 'document' ? null : new Date()];
      const [row] = await auth.sql<{ client_key: string }>(client, values);
      return row?.client_key ?? '';
    };
    const document = await made('https://app.example/client', 'document', 'unreviewed');
    const expiry = `insert into client_documents (client_key, expires_at) values ($1, now() + interval '1 hour')`;
    await auth.sql(expiry, [document]);
    const registered = await made('a-registered-client', 'loopback', null);
    expect((await chinese('/admin/clients')).body).toContain('1 個用戶端等待審查');
    const csrf = csrfOf(await chinese(`/admin/clients/${document}`));
    for (const key of [document, registered])
      for (const to of ['blocked', 'unreviewed']) await chinese(`/admin/clients/${key}/review?to=${to}`);
    for (const review of ['approved', 'blocked', 'unreviewed'])
      await post('/admin/clients', csrf, { client: document, review });
    for (const review of ['blocked', 'unreviewed']) await post('/admin/clients', csrf, { client: registered, review });
  });

  it('shows people, invitations and refusals in Chinese', async () => {
    await chinese('/admin/people');
    await chinese('/admin/people?q=none-matches');
    const csrf = csrfOf(await chinese('/admin/invite'));
    expect((await post('/admin/people', csrf, { email: 'x', name: 'a\u0007' })).status).toBe(422);
    const taken = { email: 'student@school.example', role: 'student' };
    expect((await post('/admin/people', csrf, taken)).body).toContain('查看使用這個地址的成員');
    const invited = await post('/admin/people', csrf, { email: 'new@school.example', name: 'Ann', role: 'student' });
    expect(invited.body).toContain('已邀請「Ann」');
    const member = await idOf('new');
    await chinese(`/admin/people/${member}/remove`);
    for (let attempt = 0, status = 200; status === 200 && attempt < 20; attempt += 1)
      ({ status } = await post('/admin/people/resend', csrf, { member }));
    await post('/admin/people/remove', csrf, { member });
    const student = await idOf('student');
    for (const path of ['', '/suspend', '/remove']) await chinese(`/admin/people/${student}${path}`);
    await post('/admin/people/roles', csrf, { member: student, role: 'loved' });
    const base = baseOf(await chinese(`/admin/people/${student}`));
    await post('/admin/people/roles', csrf, { member: student, role: 'teaching_assistant', base });
    await post('/admin/people/resend', csrf, { member: student });
    for (const change of ['suspend', 'reinstate']) await post(`/admin/people/${change}`, csrf, { member: student });
    const own = await idOf('owner');
    await chinese(`/admin/people/${own}`);
    expect((await post('/admin/people/suspend', csrf, { member: own })).status).toBe(403);
    expect((await post('/admin/people/roles', csrf, { member: own, role: 'admin' })).body).toContain('擁有者角色');
    await chinese(`/admin/audit?person=unknown@school.example`);
  });

  it('writes every sentence of the audit log in Chinese', async () => {
    const entries = [...AUDIT_EVENTS.map((event) => [event, {}] as const), ...DETAILS];
    const insert = `insert into audit_log (event, site_id, person_id, client_id, details)
                    select $1, $2, (select person_id from people where email = $3), $4, $5::jsonb`;
    for (const [event, details] of entries)
      for (const [email, client] of [
        ['student@school.example', 'first-member'],
        [null, null],
      ])
        await auth.sql(insert, [event, auth.site.site_id, email, client, JSON.stringify(details)]);
    const by = JSON.stringify({ before: [], after: ['student'], by: await idOf('owner') });
    for (const event of ['role.changed', 'member.suspended', 'member.reinstated', 'member.removed'])
      await auth.sql(insert, [event, auth.site.site_id, 'student@school.example', null, by]);
    let count = 0;
    const sentences = new Set<string>();
    for (let path: string | undefined = '/admin/audit'; path !== undefined;) {
      const { body } = await chinese(path);
      for (const [, sentence = ''] of body.matchAll(/<\/time>\s*([^<]+?)\s*<span class="quiet host">/g)) {
        sentences.add(sentence);
        count += 1;
      }
      path = /rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(count).toBeGreaterThanOrEqual(entries.length * 2);
    expect(sentences.size).toBeGreaterThan(AUDIT_EVENTS.length * 2);
    for (const sentence of sentences) expect(sentence).toMatch(/^[「」\p{Script=Han}：，、\w -]+$/u);
    expect([...sentences].filter((sentence) => /\w+\.\w+/.test(sentence))).toEqual([]);
  });

  it('keeps the names of columns and events in the file in English', async () => {
    const { body } = await owner.browser.open('/admin/audit/export?event=site.deleted');
    const [head, first = ''] = body.split('\r\n');
    expect(head).toBe('occurred_at,event,sentence,person,email,client,client_id,details,device');
    expect(first).toMatch(/^[\d-]+T[\d:.]+Z,site\.deleted,網站已刪除,/);
  });

  it('follows the language of the person before that of the browser', async () => {
    const { flow, page } = await signedIn(auth, '/admin', 'admin');
    expect(page.body).toContain('<html lang="en"');
    await flow.submit(await flow.browser.open('/account/profile'), 'phone', { name: 'Bo', locale: 'zh-TW' });
    expectChinese(await flow.browser.open('/admin'));
  });

  it('walks every page', () => {
    expect(seen.size).toBeGreaterThan(35);
  });
});
