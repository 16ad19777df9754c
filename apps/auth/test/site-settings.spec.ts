import { NO_THEME, REQUEST_HEADERS, SITE_SETTINGS_REQUESTS } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { connectAs, testNats } from '@lyceum/testing';
import type { Page, TestNats } from '@lyceum/testing';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { baseOf, csrfOf, signedIn } from './admin-flow.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import type { Flow } from './flow.js';

type Values = Readonly<Record<string, string>>;

const SCHOOL = '/admin/school';
const LOOK = '/admin/appearance';
const FIELDS = { name: 'Harbor', locale: 'en', timezone: 'Asia/Taipei' };

let nats: TestNats;
let auth: TestAuth;
let owner: Flow;
/** The test responds in place of admin-api, as its NATS user. */
let adminApi: NatsConnection;
let subscriptions: Subscription[] = [];
let school = { ...FIELDS, version: 3 };
let look: { readonly version: number; readonly theme: object };
let refusal: Extract<Reply, { ok: false }>['error'] | undefined;
/** The changes that auth requested. */
const changes: Record<string, unknown>[] = [];

interface Sent {
  readonly site_id?: string | undefined;
  readonly version: number;
  readonly patch: object;
}

/** The appearance with an accent. */
const lookOf = (accent_color: string, of: number) => ({
  version: of,
  theme: { ...NO_THEME, accent_color },
  logo_url: null,
  favicon_url: null,
});

const themeIn = (patch: { readonly theme?: object }): object => patch.theme ?? {};

function respond(subject: string, { version, patch, ...rest }: Sent): Reply {
  if (subject.includes('get_site_settings')) return { ok: true, result: { school, appearance: look } };
  changes.push({ subject, version, patch, ...rest });
  if (refusal !== undefined) return { ok: false, error: refusal };
  const current = subject.includes('change_school') ? school : look;
  if (current.version !== version) return { ok: false, error: { code: 'precondition_failed', detail: 'Modified' } };
  if (current === school) school = { ...school, ...patch, version: version + 1 };
  else look = { ...look, ...patch, theme: { ...look.theme, ...themeIn(patch) }, version: version + 1 };
  return { ok: true, result: { version: version + 1 } };
}

async function listen(): Promise<void> {
  subscriptions = SITE_SETTINGS_REQUESTS.map(({ subject }) =>
    adminApi.subscribe(subject, {
      callback: (_error, message) => {
        const site_id = message.headers?.get(REQUEST_HEADERS.site);
        message.respond(JSON.stringify(respond(subject, { ...message.json<Sent>(), site_id })));
      },
    }),
  );
  await adminApi.flush();
}

beforeAll(async () => {
  nats = await testNats();
  auth = await startAuth({ nats: nats.environment('auth') });
  adminApi = await connectAs(nats.environment('admin-api'));
  ({ flow: owner } = await signedIn(auth, '/admin'));
});
afterAll(async () => {
  await auth.stop();
  await adminApi.close();
  await nats.stop();
});
beforeEach(async () => {
  school = { ...FIELDS, version: 3 };
  look = lookOf('#0b5c86', 7);
  refusal = undefined;
  changes.length = 0;
  await listen();
});
afterEach(async () => {
  for (const subscription of subscriptions) subscription.unsubscribe();
  await adminApi.flush();
});

/** Sends the form of a page, which may be stale, with the values as typed. */
function send(page: Page, path: string, values: Values): Promise<Page> {
  return owner.browser.open(path, new URLSearchParams({ csrf: csrfOf(page), base: baseOf(page), ...values }));
}

describe('/admin/school', () => {
  it('shows the settings of admin-api, and sends it the changed ones with their version and member', async () => {
    const page = await owner.browser.open(SCHOOL);
    expect(page.body).toContain('value="Harbor"');
    expect(page.body).toMatch(/value="Asia\/Taipei"\s+selected/);
    const saved = await send(page, SCHOOL, { ...FIELDS, name: ' Harbor School ', timezone: '' });
    expect([saved.status, saved.body.includes('The settings are saved')]).toEqual([200, true]);
    expect(saved.body).toContain('value="Harbor School"');
    expect(changes).toEqual([
      {
        subject: 'requests.admin-api.change_school.v1',
        site_id: auth.site.site_id,
        person_id: expect.any(String),
        member_id: expect.any(String),
        roles: ['owner'],
        version: 3,
        patch: { name: 'Harbor School', timezone: null },
      },
    ]);
  });

  it('requests no change for a form without one', async () => {
    const saved = await send(await owner.browser.open(SCHOOL), SCHOOL, FIELDS);
    expect([saved.status, changes]).toEqual([200, []]);
  });

  it('keeps what another admin changed, and refuses a stale change of the same field', async () => {
    const page = await owner.browser.open(SCHOOL);
    school = { ...school, name: 'Harbor Academy', version: 4 };
    const merged = await send(page, SCHOOL, { ...FIELDS, locale: 'zh-TW' });
    expect([merged.status, school]).toEqual([200, { ...FIELDS, name: 'Harbor Academy', locale: 'zh-TW', version: 5 }]);
    const stale = await send(page, SCHOOL, { ...FIELDS, name: 'Harbor College' });
    expect([stale.status, stale.body.includes('changed in the meantime')]).toEqual([412, true]);
    expect(stale.body).toContain('value="Harbor Academy"');
    expect(school.name).toBe('Harbor Academy');
  });

  it('marks the field that admin-api refuses, and keeps what was typed', async () => {
    refusal = {
      code: 'validation_failed',
      detail: 'The body is not acceptable',
      errors: [{ pointer: '/name', code: 'invalid_value', detail: 'Invisible characters are not allowed' }],
    };
    const page = await owner.browser.open(SCHOOL);
    const refused = await send(page, SCHOOL, { ...FIELDS, name: '"><script>alert(1)</script>' });
    expect([refused.status, baseOf(refused)]).toEqual([422, baseOf(page)]);
    expect(refused.body).toContain('Enter a name with at most 200 characters');
    expect(refused.body).not.toContain('<script>alert');
  });

  it.each([SCHOOL, LOOK])('says that %s is unavailable while admin-api does not respond', async (path) => {
    const page = await owner.browser.open(path);
    for (const subscription of subscriptions) subscription.unsubscribe();
    await adminApi.flush();
    const shown = await owner.browser.open(path);
    const sent = await send(page, path, { ...FIELDS, accent_color: '#112233' });
    for (const { status, body } of [shown, sent])
      expect([status, body.includes('cannot be reached at the moment')]).toEqual([503, true]);
    expect(sent.body).toMatch(/value="(Harbor|#112233)"/);
  });

  it.each(['lecturer', 'student'])('does not exist for a %s', async (name) => {
    const { flow, page } = await signedIn(auth, '/account', name);
    for (const path of [SCHOOL, LOOK]) expect((await flow.browser.open(path)).status).toBe(404);
    const form = new URLSearchParams({ csrf: csrfOf(page), ...FIELDS });
    for (const path of [SCHOOL, LOOK, `${LOOK}/preview`])
      expect((await flow.browser.open(path, form)).status).toBe(404);
    expect(changes).toEqual([]);
  });

  it('refuses a form without the token of its session', async () => {
    for (const path of [SCHOOL, LOOK, `${LOOK}/preview`])
      expect((await owner.browser.open(path, new URLSearchParams(FIELDS))).status).toBe(403);
    expect(changes).toEqual([]);
  });
});

describe('/admin/appearance', () => {
  /** The policy of the response to the same form. */
  async function policyOf(page: Page, path: string, values: Values): Promise<string> {
    const form = new URLSearchParams({ csrf: csrfOf(page), base: baseOf(page), ...values });
    const cookie = owner.browser.cookiesFor(path);
    const { headers } = await owner.post(path, form, { cookie, origin: auth.site.base_url });
    return headers.get('content-security-policy') ?? '';
  }

  it('previews the typed look on the page itself, and changes nothing', async () => {
    const page = await owner.browser.open(LOOK);
    expect(page.body).toContain('--accent:#0b5c86');
    const logo_url = 'https://cdn.example.com/logo.svg';
    const values = { accent_color: '#7A1F1F', font_family: 'serif', corners: 'square', logo_url };
    const preview = await send(page, `${LOOK}/preview`, values);
    expect([preview.status, preview.body.includes('This is a preview')]).toEqual([200, true]);
    for (const part of ['--accent:#7a1f1f', '--corner:0rem', `class="logo" src="${logo_url}"`, 'value="#7a1f1f"'])
      expect(preview.body).toContain(part);
    const policy = await policyOf(page, `${LOOK}/preview`, values);
    expect(policy).toMatch(/^default-src 'none'; .*style-src 'sha256-[^' ]+'; form-action 'self';/);
    expect(policy).toMatch(/img-src data: https:\/\/cdn\.example\.com;/);
    expect(changes).toEqual([]);
    const saved = await send(preview, LOOK, values);
    expect([saved.status, saved.body.includes('--accent:#7a1f1f')]).toEqual([200, true]);
    expect(changes).toMatchObject([
      { version: 7, patch: { logo_url, theme: { accent_color: '#7a1f1f', font_family: 'serif', corners: 'square' } } },
    ]);
  });

  it.each([
    ['an unreadable accent', { accent_color: '#eeeeee' }, 'need a contrast of 4.5:1'],
    ['style in a color', { accent_color: '#000;}body{display:none' }, 'Enter a color such as'],
    ['a picture without https', { logo_url: 'http://cdn.example.com/x.png' }, 'Enter an https address'],
  ])('refuses the preview of %s, in the look of the site', async (_what, values, words) => {
    const page = await owner.browser.open(LOOK);
    const refused = await send(page, `${LOOK}/preview`, values);
    expect([refused.status, refused.body.includes(words)]).toEqual([422, true]);
    expect(refused.body).not.toMatch(/<style>[^<]*(#eeeeee|display:none\s*<)/);
    expect(await policyOf(page, `${LOOK}/preview`, values)).toContain('img-src data:;');
  });

  it('marks the color that admin-api refuses', async () => {
    refusal = {
      code: 'validation_failed',
      detail: 'Color contrast is below 4.5:1 (WCAG 2.2 AA)',
      errors: [{ pointer: '/theme/accent_color', code: 'low_contrast', detail: 'accent_color on surface_color' }],
    };
    const refused = await send(await owner.browser.open(LOOK), LOOK, { accent_color: '#eeeeee' });
    expect([refused.status, refused.body.includes('need a contrast of 4.5:1')]).toEqual([422, true]);
  });

  it('says that another change came first, and shows the stored look', async () => {
    const page = await owner.browser.open(LOOK);
    look = lookOf('#166534', 8);
    const stale = await send(page, LOOK, { accent_color: '#7a1f1f' });
    expect([stale.status, stale.body.includes('changed in the meantime')]).toEqual([412, true]);
    expect(stale.body).toContain('--accent:#166534');
    expect(changes).toEqual([]);
  });
});
