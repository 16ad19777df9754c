import { CALLBACK, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const ZONE = 'Asia/Taipei';

let auth: TestAuth;
let owner: Flow;

beforeAll(async () => {
  auth = await startAuth();
  const school = `INSERT INTO site_schools (site_id, epoch, version, timezone) VALUES ($1, 0, 1, $2)`;
  await auth.sql(school, [auth.site.site_id, ZONE]);
  owner = new Flow(auth);
  await owner.signIn(await owner.browser.open('/account'), 'owner');
});
afterAll(() => auth.stop());

const log = async (query = '', flow = owner): Promise<string> => (await flow.browser.open(`/admin/audit${query}`)).body;
/** The text of the entries, newest first. */
async function entries(query = ''): Promise<string[]> {
  const items = (await log(query)).match(/<li>\s*<time[\s\S]*?<\/li>/g) ?? [];
  return items.map((item) =>
    item
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}
const sentences = async (query: string): Promise<string> => (await entries(query)).join('\n');

async function attempt(email: string, password = 'not-the-password'): Promise<void> {
  const flow = new Flow(auth);
  const page = await flow.browser.open('/account/sign-in');
  await flow.submit(page, 'password', { email, password });
}

describe('The audit log of the admin area', () => {
  it('names the member whose sign-in failed, and no person of another site', async () => {
    for (const email of ['lecturer@school.example', 'stranger@school.example', 'unknown@school.example'])
      await attempt(email);
    const failed = await entries('?event=sign_in.failed');
    expect(failed).toHaveLength(3);
    expect(failed[2]).toContain('A sign-in as The lecturer with a password failed');
    expect(failed[2]).toContain('lecturer@school.example');
    for (const one of failed.slice(0, 2)) expect(one).toContain('no member of this site has the address');
    expect(failed.join('\n')).not.toMatch(/stranger|unknown@/);
  });

  it.each([
    [
      'Chrome on macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
    ],
    [
      'Safari on iOS',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605 Version/26.0 Safari/604.1',
    ],
  ])('names the browser and system of each act: %s', async (device, userAgent) => {
    const visitor = new Flow(auth, auth.site, undefined, { 'user-agent': userAgent });
    await visitor.signIn(await visitor.browser.open('/account'), 'student', 'not-the-password');
    await visitor.tokens({}, 'student');
    for (const event of ['sign_in.failed', 'sign_in.succeeded', 'consent.given']) {
      const [newest] = await entries(`?event=${event}`);
      expect(newest).toContain(`student@school.example`);
      expect(newest).toContain(` · ${device} · `);
    }
    const cookie = owner.browser.cookiesFor('/admin');
    const { body } = await owner.send('/admin/audit/export?event=consent.given', { headers: { cookie } });
    expect(String(body['text']).split('\r\n')[1]).toMatch(new RegExp(`,${device}$`));
  });

  it('keeps no text of the header of an unknown browser', async () => {
    const visitor = new Flow(auth, auth.site, undefined, { 'user-agent': '<b>Curious/1.0</b>' });
    await visitor.signIn(await visitor.browser.open('/account'), 'student');
    const [newest] = await entries('?event=sign_in.succeeded');
    expect(newest).toContain('student@school.example');
    const [row] = await auth.sql<{ details: object }>(
      `select details from audit_log where event = 'sign_in.succeeded' order by audit_id desc limit 1`,
    );
    expect(row?.details).not.toHaveProperty('device');
  });

  it('names people and applications, and filters by person, application, event and time', async () => {
    await new Flow(auth).tokens({}, 'student');
    await new Flow(auth).tokens({ client_id: 'first-operator', scope: 'courses:read' }, 'admin');
    expect(await sentences('?event=consent.given')).toContain('The student allowed Public member');
    const ofStudent = await entries('?person=STUDENT%40school.example');
    expect(ofStudent.length).toBeGreaterThanOrEqual(3);
    expect(ofStudent.every((text) => text.includes('student@school.example'))).toBe(true);
    for (const client of ['first-operator', 'public%20OPERATOR']) {
      const ofClient = await entries(`?client=${client}`);
      expect(ofClient.length).toBeGreaterThanOrEqual(1);
      expect(ofClient.every((text) => text.includes('Public operator') && text.includes('first-operator'))).toBe(true);
    }
    const both = await entries('?person=admin%40school.example&client=first-operator&event=consent.given');
    expect(both).toEqual([expect.stringContaining('The admin allowed Public operator')]);
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE }).format(new Date());
    expect(await entries(`?from=${today}&to=${today}`)).not.toEqual([]);
    expect(await entries('?from=2199-01-01')).toEqual([]);
    expect(await entries('?to=2020-01-01')).toEqual([]);
  });

  it.each(['stranger@school.example', 'unknown@school.example', 'no address', '%25'])(
    'shows no entry for the person %s',
    async (person) => {
      expect(await entries(`?person=${encodeURIComponent(person)}`)).toEqual([]);
    },
  );

  it('offers the events of a site, and none of an account at all sites', async () => {
    const page = await log();
    expect(page).toContain('value="sign_in.failed"');
    for (const event of ['password.changed', 'signed_out.everywhere', 'person.deleted', 'key.rotated'])
      expect(page).not.toContain(`value="${event}"`);
  });

  it('keeps the filters in the address of older entries', async () => {
    await auth.sql(
      `INSERT INTO audit_log (event, site_id, details) SELECT 'client.fetched', $1, '{}' FROM generate_series(1, 60)`,
      [auth.site.site_id],
    );
    const first = await log('?event=client.fetched');
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(next).toContain('event=client.fetched&before=');
    expect(await entries(next.slice('/admin/audit'.length))).toHaveLength(10);
  });

  it('writes one entry for an act in the admin area, with its actor', async () => {
    await auth.sql(
      `WITH c AS (INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review)
         VALUES ('https://app.example/one', $1, '=HYPERLINK("x")', 'operator', 'document', $2, '{openid}', 'unreviewed')
         RETURNING client_key)
       INSERT INTO client_documents (client_key, expires_at) SELECT client_key, now() + interval '1 hour' FROM c`,
      [auth.site.site_id, [CALLBACK]],
    );
    const list = await owner.browser.open('/admin/clients');
    const client = /href="(\/admin\/clients\/[0-9a-f-]{36})"/.exec(list.body)?.[1] ?? '';
    await owner.submit(await owner.browser.open(client), 'review', { review: 'approved' });
    const found = await entries('?client=https%3A%2F%2Fapp.example%2Fone');
    expect(found).toEqual([expect.stringContaining('The owner approved =HYPERLINK(&quot;x&quot;)')]);
  });

  it('exports the filtered entries as CSV that runs no formula', async () => {
    const cookie = owner.browser.cookiesFor('/admin');
    const { status, headers, body } = await owner.send('/admin/audit/export?event=client.reviewed', {
      headers: { cookie },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    const lines = String(body['text']).trimEnd().split('\r\n');
    expect(lines[0]).toBe('occurred_at,event,sentence,person,email,client,client_id,details,device');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`client.reviewed,"The owner approved =HYPERLINK(""x"")",The owner,owner@school.example`);
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`);
  });

  it('exports all entries, also more than 10,000, in the language of the reader', async () => {
    await auth.sql(
      `INSERT INTO audit_log (event, site_id, details) SELECT 'site.changed', $1, '{}' FROM generate_series(1, 10500)`,
      [auth.site.site_id],
    );
    const [{ n } = { n: 0 }] = await auth.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM audit_log WHERE site_id = $1',
      [auth.site.site_id],
    );
    const headers = { cookie: owner.browser.cookiesFor('/admin'), 'accept-language': 'zh-TW' };
    const { body } = await owner.send('/admin/audit/export', { headers });
    const lines = String(body['text']).trimEnd().split('\r\n');
    expect(lines).toHaveLength(n + 1);
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBeGreaterThan(1);
    const sentences = lines.filter((line) => line.includes(',site.changed,')).map((line) => line.split(',')[2]);
    expect(sentences.length).toBeGreaterThanOrEqual(10_500);
    expect(new Set(sentences).size).toBe(1);
    expect(sentences[0]).toMatch(/\p{Script=Han}/u);
  });

  it('selects days in the time zone of the site', async () => {
    const { site_id } = auth.site;
    // 2026-01-31 23:30 and 2026-02-01 00:30 in Taipei.
    for (const [at, event] of [
      ['2026-01-31T15:30:00Z', 'client.fetched'],
      ['2026-01-31T16:30:00Z', 'site.changed'],
    ])
      await auth.sql(
        `INSERT INTO audit_log (audit_id, occurred_at, event, site_id, details)
         SELECT uuidv7($1::timestamptz - now()), $1, $2, $3, '{}'`,
        [at, event, site_id],
      );
    const written = (day: string) => entries(`?from=${day}&to=${day}`);
    expect(await written('2026-01-31')).toEqual([expect.stringMatching(/^23:30:00 .*client\.fetched/)]);
    expect(await written('2026-02-01')).toEqual([expect.stringMatching(/^00:30:00 .*site\.changed/)]);
    const page = await log('?from=2026-01-31&to=2026-01-31');
    for (const text of ['2026-01-31 (Asia/Taipei)', 'From (Asia/Taipei)', 'To (Asia/Taipei)'])
      expect(page).toContain(text);
  });

  it.each(['student', 'lecturer'])('exports nothing for a %s', async (name) => {
    const flow = new Flow(auth);
    await flow.signIn(await flow.browser.open('/account'), name);
    const cookie = flow.browser.cookiesFor('/admin');
    expect((await flow.send('/admin/audit/export', { headers: { cookie } })).status).toBe(404);
  });

  it.each([
    `?person=${encodeURIComponent('"><script>alert(1)</script>')}`,
    `?client=${encodeURIComponent("' or 1=1 --")}`,
    '?person=a&person=b',
    '?event[]=x&from=%00&to=%FF',
    `?client=${'x'.repeat(10_000)}`,
    '?client=%E2%80%AE%E2%80%8B',
  ])('accepts hostile filters: %s', async (query) => {
    const page = await owner.browser.open(`/admin/audit${query}`);
    expect([page.status, page.body.includes('<script>')]).toEqual([200, false]);
    expect(page.body.length).toBeLessThan(60_000);
  });
});
