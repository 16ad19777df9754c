import { Administration } from '#src/commands/administration.js';
import { SitesService } from '#src/sites/sites.service.js';
import { startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';

const PROFILE = {
  name: 'Mei Lin',
  picture: 'https://images.example/mei.png',
  locale: 'zh-TW',
  phone: '+886912345678',
  timezone: 'Asia/Tokyo',
};

describe('The profile of a membership', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  const flowAt = (site: TestSite): Flow => new Flow(auth, site, { client_id: `${site.slug}-member` });
  const signedIn = async (site: TestSite, name = 'both'): Promise<Flow> => {
    const flow = flowAt(site);
    await flow.signIn(await flow.browser.open('/account/sign-in'), name);
    return flow;
  };
  const save = async (flow: Flow, fields: Record<string, string>) =>
    flow.submit(await flow.browser.open('/account/profile'), 'phone', fields);
  const claims = async (site: TestSite, name = 'both') => {
    const flow = flowAt(site);
    const { access_token, id_token = '' } = await flow.tokens({}, name);
    const idToken: unknown = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString());
    return [idToken, (await flow.userInfo(access_token)).body];
  };

  it('edits a profile on the account page, and changes the claims of that site only', async () => {
    const page = await save(await signedIn(auth.site), PROFILE);
    expect([page.url.pathname, page.body.includes('Mei Lin')]).toEqual(['/account', true]);
    const { name, picture } = PROFILE;
    expect(await claims(auth.site)).toMatchObject([
      { name, picture },
      { name, picture },
    ]);
    const there = await claims(auth.other);
    expect(there).toMatchObject([{ name: 'The both' }, { name: 'The both' }]);
    expect(JSON.stringify(there)).not.toContain(picture);
    const form = await (await signedIn(auth.site)).browser.open('/account/profile');
    for (const value of Object.values(PROFILE)) expect(form.body).toContain(`value="${value}"`);
    expect(form.body).toMatch(/value="Asia\/Tokyo" selected/);
    expect(Buffer.byteLength(form.body)).toBeLessThan(60 * 1024);
  });

  it('lets browsers fill in the language, and marks the name of each language with that language', async () => {
    const { body } = await (await signedIn(auth.other)).browser.open('/account/profile');
    const [choice = ''] = /<select id="locale"[^]*?<\/select>/.exec(body) ?? [];
    expect(choice).toMatch(/^<select [^>]*autocomplete="language"/);
    expect(choice).toMatch(/<option value=""\s+selected>/);
    expect(choice).toMatch(/<option value="zh-TW" lang="zh-TW"\s*>中文（繁體）<\/option>/);
    expect(choice.match(/<option value="([\w-]+)" lang="\1"\s*>/g)).toHaveLength(24);
  });

  it('shows times in the time zone of the profile, and in that of the site without one', async () => {
    const flow = await signedIn(auth.other);
    const timesAt = async (timezone: string): Promise<string[]> => {
      const { body } = await save(flow, { name: 'Both', timezone });
      return [...body.matchAll(/<time [^>]*title="([^"]+)"/g)].map(([, title = '']) => title);
    };
    const [tokyo, utc] = [await timesAt('Asia/Tokyo'), await timesAt('')];
    expect([tokyo.length, utc.length]).toEqual([expect.any(Number), tokyo.length]);
    expect(tokyo[0]).toMatch(/ \(Asia\/Tokyo\)$/);
    expect(utc[0]).toMatch(/ UTC$/);
  });

  it('publishes one event with the next version for a profile change', async () => {
    const events = () =>
      auth.sql<{ data: Record<string, unknown>; actor: Record<string, unknown> }>(
        `select payload::jsonb -> 'data' as data, payload::jsonb -> 'actor' as actor from outbox
          where payload::jsonb ->> 'type' like 'identity.role.%' and payload::jsonb #>> '{data,name}' = 'Renamed'`,
      );
    const flow = await signedIn(auth.site);
    await save(flow, { ...PROFILE, name: 'Renamed' });
    await save(flow, { ...PROFILE, name: 'Renamed' });
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      data: { name: 'Renamed', picture: PROFILE.picture, locale: 'zh-TW', site_id: auth.site.site_id },
      actor: { member_id: event?.data['member_id'], client_id: null, via: 'page' },
    });
  });

  it('refuses an invalid profile field, shows the input again, and changes nothing', async () => {
    const flow = await signedIn(auth.other);
    const page = await save(flow, { ...PROFILE, phone: '0912' });
    expect(page.status).toBe(422);
    expect(page.body).toContain('Enter the international form');
    expect(page.body).toContain('value="0912"');
    expect(page.body).toContain('value="Mei Lin"');
    const elsewhere = await save(flow, { ...PROFILE, timezone: 'Nowhere/At-All' });
    expect([elsewhere.status, elsewhere.body.includes('Choose a time zone')]).toEqual([422, true]);
    expect(JSON.stringify(await claims(auth.other))).not.toContain('Mei Lin');
  });

  it('refuses a profile form that did not come from a page of the session', async () => {
    const flow = await signedIn(auth.site);
    const cookie = flow.browser.cookiesFor('/account/profile');
    expect((await flow.post('/account/profile', { ...PROFILE, csrf: 'x' }, { cookie })).status).toBe(403);
  });

  it('derives the default name without the profile of another site', async () => {
    const site = await auth.app.get(SitesService).byId(auth.site.site_id);
    await auth.app.get(Administration).addRole(site!, 'stranger@school.example', 'student');
    expect(await claims(auth.site, 'stranger')).toMatchObject([{ name: 'stranger' }, { name: 'stranger' }]);
  });
});
