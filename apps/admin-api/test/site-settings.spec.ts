import { changeAppearance, changeSchool, getSiteSettings } from '@lyceum/contracts';
import type { Reply, RequestDefinition, Role } from '@lyceum/contracts';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { AuthRequests } from './auth-requests.js';

const MEMBER = { person_id: '018f3b1e-0000-7000-8000-000000000001', member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a' };
const ADMIN: Role[] = ['admin'];

let api: TestApi;
let auth: AuthRequests;
beforeAll(async () => {
  api = await startAdminApi();
  auth = await AuthRequests.to(api);
});
afterAll(async () => {
  await auth.stop();
  await api.stop();
});

const request = (...sent: Parameters<AuthRequests['send']>): Promise<Reply> => auth.send(...sent);
async function settings(site = api.sites[0]) {
  const reply = await request(getSiteSettings, { roles: ADMIN }, site);
  if (!reply.ok) throw new Error(reply.error.detail);
  return getSiteSettings.output.parse(reply.result);
}
const change = (definition: RequestDefinition, version: number, patch: object, roles: Role[] = ADMIN) =>
  request(definition, { ...MEMBER, roles, version, patch });
const codeOf = (reply: Reply): unknown => (reply.ok ? reply.result : reply.error.code);

describe('the settings of the admin area', () => {
  it('returns those of the API, also after a change of each', async () => {
    const before = await settings();
    const name = 'Harbor College';
    expect(
      await change(changeSchool, before.school.version, { name, locale: 'zh-TW', timezone: 'Asia/Taipei' }),
    ).toEqual({ ok: true, result: { version: before.school.version + 1 } });
    const theme = { accent_color: '#7A1F1F', corners: 'square' };
    const logo_url = 'https://cdn.example.com/logo.svg';
    expect(await change(changeAppearance, before.appearance.version, { theme, logo_url })).toMatchObject({ ok: true });
    const { body: school } = await api.send('GET', '/api/v1/school');
    const { body: appearance } = await api.send('GET', '/api/v1/appearance');
    expect(school).toMatchObject({ name, locale: 'zh-TW', timezone: 'Asia/Taipei' });
    expect(appearance).toMatchObject({ logo_url, theme: { accent_color: '#7a1f1f', corners: 'square' } });
    const after = await settings();
    expect(after.school).toEqual({
      name,
      locale: 'zh-TW',
      timezone: 'Asia/Taipei',
      version: before.school.version + 1,
    });
    expect(after.appearance).toMatchObject({ logo_url, favicon_url: null, theme: appearance['theme'] });
    await api.send('PATCH', '/api/v1/school', { body: { name: 'By the API' } });
    expect((await settings()).school).toMatchObject({ name: 'By the API', version: after.school.version + 1 });
  });

  it('leaves a revision of the admin area, and activity of the member', async () => {
    const { appearance } = await settings();
    await change(changeAppearance, appearance.version, { favicon_url: 'https://cdn.example.com/icon.png' });
    const { body } = await api.send('GET', '/api/v1/appearance/revisions?limit=1');
    expect(body['data']).toMatchObject([{ client_id: 'admin-area', member_id: MEMBER.member_id }]);
    const { body: log } = await api.send('GET', '/api/v1/activity?limit=1');
    expect(log['data']).toMatchObject([
      { action: 'appearance.updated', actor: { member_id: MEMBER.member_id, client_id: null, via: 'page' } },
    ]);
  });

  it.each([
    ['school', { name: '' }, '/name'],
    ['school', { name: 'a\u200bb' }, '/name'],
    ['school', { locale: 'english' }, '/locale'],
    ['school', { timezone: 'Mars/Olympus' }, '/timezone'],
    ['appearance', { logo_url: 'http://cdn.example.com/logo.svg' }, '/logo_url'],
    ['appearance', { theme: { accent_color: 'red' } }, '/theme/accent_color'],
    ['appearance', { theme: { accent_color: '#eeeeee' } }, '/theme/accent_color'],
    ['appearance', { theme: { font_family: 'Comic Sans' } }, '/theme/font_family'],
  ] as const)('refuses for the %s what the API refuses: %j', async (of, patch, pointer) => {
    const before = await settings();
    const reply = await change(of === 'school' ? changeSchool : changeAppearance, before[of].version, patch);
    expect([codeOf(reply), reply.ok ? [] : reply.error.errors]).toEqual([
      'validation_failed',
      [expect.objectContaining({ pointer })],
    ]);
    expect(await settings()).toEqual(before);
  });

  it('refuses another version, and one of two changes at the same time', async () => {
    const { school } = await settings();
    expect(codeOf(await change(changeSchool, school.version + 1, { name: 'Later' }))).toBe('precondition_failed');
    const both = await Promise.all(
      ['One', 'Other'].map((name) => change(changeSchool, school.version, { name, locale: null })),
    );
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.map(codeOf)).toContain('precondition_failed');
    expect((await settings()).school.version).toBe(school.version + 1);
  });

  it.each([[['lecturer']], [['student']], [[]]] as Role[][][])('refuses the roles %j', async (roles) => {
    const before = await settings();
    const replies = [
      await request(getSiteSettings, { roles }),
      await change(changeSchool, before.school.version, { name: 'Mine' }, roles),
      await change(changeAppearance, before.appearance.version, { logo_url: null }, roles),
    ];
    expect(replies.map(codeOf)).toEqual(['forbidden', 'forbidden', 'forbidden']);
    expect(await settings()).toEqual(before);
  });

  it('changes no other site', async () => {
    const before = await settings(api.sites[1]);
    const { school } = await settings();
    await change(changeSchool, school.version, { name: 'Here only' });
    expect(await settings(api.sites[1])).toEqual(before);
  });
});
