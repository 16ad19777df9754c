import { NO_THEME, PAGE_PICTURE_BYTES, SITE_SETTINGS_REQUESTS, getSiteSettings, storePicture } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { connectAs, testNats } from '@lyceum/testing';
import type { Page, TestNats } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { LOOK_FORM_BYTES } from '#src/admin-area/look-pictures.policy.js';
import { baseOf, csrfOf, signedIn } from './admin-flow.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import type { Flow } from './flow.js';
import { png } from './picture-flow.js';

const LOOK = '/admin/appearance';
const PREVIEW = `${LOOK}/preview`;
const FILE_ID = '019ab3c0-de90-7a01-9c3d-4e5f60718293';
const ELSEWHERE = 'https://cdn.example.com/logo.svg';

type Look = Readonly<Record<'logo_url' | 'favicon_url', string | null>> & { readonly version: number };
type Picture = Readonly<Record<string, string>>;

let nats: TestNats;
let auth: TestAuth;
let owner: Flow;
/** The test responds in place of admin-api, as its NATS user. */
let adminApi: NatsConnection;
let look: Look;
let rejection: string | null;
let refusal: Extract<Reply, { ok: false }>['error'] | undefined;
const pictures: Picture[] = [];
const patches: unknown[] = [];

const addressOf = (id: string): string => `${auth.site.base_url}/files/public/${id}`;

function respond(subject: string, body: { patch?: Record<string, string | null> } & Picture): Reply {
  if (subject === getSiteSettings.subject) {
    const school = { name: 'Harbor', locale: 'en', timezone: 'Asia/Taipei', version: 3 };
    return { ok: true, result: { school, appearance: { ...look, theme: NO_THEME } } };
  }
  if (subject === storePicture.subject) {
    pictures.push(body);
    if (refusal !== undefined) return { ok: false, error: refusal };
    return { ok: true, result: { file_id: rejection === null ? FILE_ID : null, rejection } };
  }
  const { patch = {} } = body;
  patches.push(patch);
  for (const picture of ['logo', 'favicon'] as const) {
    const [url, file] = [patch[`${picture}_url`], patch[`${picture}_file_id`]];
    if (url !== undefined) look = { ...look, [`${picture}_url`]: url };
    if (file) look = { ...look, [`${picture}_url`]: addressOf(file) };
  }
  look = { ...look, version: look.version + 1 };
  return { ok: true, result: { version: look.version } };
}

beforeAll(async () => {
  nats = await testNats();
  auth = await startAuth({ nats: nats.environment('auth') });
  adminApi = await connectAs(nats.environment('admin-api'));
  for (const { subject } of SITE_SETTINGS_REQUESTS)
    adminApi.subscribe(subject, {
      callback: (_error, message) => void message.respond(JSON.stringify(respond(subject, message.json()))),
    });
  await adminApi.flush();
  ({ flow: owner } = await signedIn(auth, '/admin'));
});
afterAll(async () => {
  await auth.stop();
  await adminApi.close();
  await nats.stop();
});
beforeEach(() => {
  look = { version: 7, logo_url: null, favicon_url: null };
  rejection = null;
  refusal = undefined;
  pictures.length = 0;
  patches.length = 0;
});

type Values = Readonly<Record<string, string | Buffer>>;

interface Sent {
  readonly status: number;
  readonly location: string | null;
  readonly policy: string;
  readonly body: string;
}

/** Sends the form of the page as a browser does, with its hidden values. */
async function send(
  page: { readonly body: string },
  path: string,
  values: Values,
  flow = owner,
  language = 'en',
): Promise<Sent> {
  const form = new FormData();
  const hidden = /<input type="hidden" name="((?:logo|favicon)_\w+)" value="([^"]*)"/g;
  for (const [, name = '', value = ''] of page.body.matchAll(hidden)) form.set(name, value);
  const all: Values = { csrf: csrfOf(page), base: baseOf(page), ...values };
  for (const [name, value] of Object.entries(all))
    form.set(name, typeof value === 'string' ? value : new File([new Uint8Array(value)], 'my logo.png'));
  const { base_url } = auth.site;
  const response = await fetch(new URL(path, base_url), {
    method: 'POST',
    redirect: 'manual',
    body: form,
    headers: { cookie: flow.browser.cookiesFor(path), origin: base_url, 'accept-language': language },
  });
  for (const line of response.headers.getSetCookie()) flow.browser.keep(line);
  const policy = response.headers.get('content-security-policy') ?? '';
  return { status: response.status, location: response.headers.get('location'), policy, body: await response.text() };
}
const open = (): Promise<Page> => owner.browser.open(LOOK);

describe('a picture that an owner chooses on /admin/appearance', () => {
  it('becomes a file of the site, which the page then shows', async () => {
    const saved = await send(await open(), LOOK, { logo_file: png() });
    expect([saved.status, saved.location]).toEqual([303, LOOK]);
    const { content, ...picture } = pictures[0] ?? {};
    expect(picture).toMatchObject({ filename: 'logo.png', content_type: 'image/png', roles: ['owner'] });
    expect([pictures.length, content]).toEqual([1, png().toString('base64')]);
    expect(patches).toEqual([{ logo_file_id: FILE_ID }]);
    const page = await open();
    expect(page.body).toContain('The settings are saved');
    expect(page.body).toContain(`src="/files/public/${FILE_ID}" alt="The logo"`);
    expect(page.body).not.toContain('Address of the logo');
  });

  it('stands on the page itself in a preview, which stores nothing until it is saved', async () => {
    const preview = await send(await open(), PREVIEW, { logo_file: png(), favicon_file: png(32, 32) });
    const [logo, icon] = [png(), png(32, 32)].map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`);
    expect([preview.status, pictures, patches]).toEqual([200, [], []]);
    expect(preview.body).toContain('This is a preview');
    expect(preview.body).toContain(`<img class="logo" src="${logo}" alt="`);
    expect(preview.body).toContain(`<link rel="icon" href="${icon}"`);
    expect(preview.policy).toContain('img-src data:;');
    const saved = await send(preview, LOOK, {});
    expect([saved.status, pictures.length]).toEqual([303, 2]);
    expect(patches).toEqual([{ logo_file_id: FILE_ID, favicon_file_id: FILE_ID }]);
  });

  it('takes the place of the picture of an earlier preview, and of a typed address', async () => {
    const preview = await send(await open(), PREVIEW, { logo_file: png() });
    await send(preview, LOOK, { logo_file: png(16, 16), logo_url: ELSEWHERE });
    expect(pictures.map(({ content }) => content)).toEqual([png(16, 16).toString('base64')]);
    expect(patches).toEqual([{ logo_file_id: FILE_ID }]);
  });

  it('ends as one file when the form is sent twice', async () => {
    const page = await open();
    const statuses = [await send(page, LOOK, { logo_file: png() }), await send(page, LOOK, { logo_file: png() })];
    expect(statuses.map(({ status }) => status)).toEqual([303, 303]);
    expect(patches).toHaveLength(1);
  });

  it('gives way to a change of the same picture that came first', async () => {
    const page = await open();
    look = { ...look, version: 8, logo_url: ELSEWHERE };
    const stale = await send(page, LOOK, { logo_file: png() });
    expect([stale.status, patches]).toEqual([412, []]);
    expect(stale.body).toContain(`value="${ELSEWHERE}"`);
  });

  it('leaves after a preview without it', async () => {
    look = { ...look, logo_url: addressOf(FILE_ID), favicon_url: addressOf(FILE_ID) };
    const page = await open();
    expect(page.body).toContain(`src="/files/public/${FILE_ID}" alt="The icon"`);
    const preview = await send(page, PREVIEW, { logo_removal: 'yes' });
    expect(preview.body).toContain('Address of the logo');
    expect([patches, preview.body.includes('alt="The logo"')]).toEqual([[], false]);
    const saved = await send(preview, LOOK, { logo_url: '' });
    expect([saved.status, patches]).toEqual([303, [{ logo_url: null }]]);
    expect(look.favicon_url).toBe(addressOf(FILE_ID));
  });

  it.each([PAGE_PICTURE_BYTES, PAGE_PICTURE_BYTES + 1])('takes up to 512 KiB: %d bytes', async (length) => {
    const isFine = length === PAGE_PICTURE_BYTES;
    const { status, body } = await send(await open(), LOOK, {
      logo_file: png(64, 64, length),
      accent_color: '#0b5c86',
    });
    expect([status, pictures.length]).toEqual(isFine ? [303, 1] : [422, 0]);
    expect(body.includes('larger than 0.5 MB')).toBe(!isFine);
    expect(body.includes('value="#0b5c86"')).toBe(!isFine);
  });

  it.each([4096, 4097])('takes sides of up to 4,096 pixels: %d', async (side) => {
    const { status, body } = await send(await open(), PREVIEW, { favicon_file: png(1, side) });
    expect([status, body.includes('wider or higher than 4096 pixels')]).toEqual(
      side === 4096 ? [200, false] : [422, true],
    );
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PNG without its end', png().subarray(0, 40)],
  ])('meets a refusal when it is %s', async (_what, logo_file) => {
    for (const path of [LOOK, PREVIEW]) {
      const refused = await send(await open(), path, { logo_file });
      expect([refused.status, refused.body.includes('not a PNG, JPEG or WebP')]).toEqual([422, true]);
      expect(refused.body).not.toContain('alert(1)');
    }
    expect(pictures).toEqual([]);
  });

  it.each([
    ['an address', ELSEWHERE],
    ['SVG', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['markup', `data:image/png;base64,"><script>alert(1)</script>`],
  ])('passes the checks again after a preview, unless it has become %s', async (_what, logo_chosen) => {
    const refused = await send(await open(), LOOK, { logo_chosen });
    expect([refused.status, refused.body.includes('<script>alert'), pictures]).toEqual([422, false, []]);
  });

  it.each([
    ['damaged_image', 'This picture is damaged'],
    ['type_mismatch', 'not a PNG, JPEG or WebP'],
  ])('shows the error beside its field when admin-api finds %s', async (code, words) => {
    rejection = code;
    const refused = await send(await open(), LOOK, { favicon_file: png() });
    expect([refused.status, refused.body.includes(words), patches]).toEqual([422, true, []]);
    expect(refused.body).toContain('id="favicon_file-error"');
  });

  it('needs room at the site', async () => {
    refusal = { code: 'quota_exceeded', detail: 'The site has no room for the file' };
    const refused = await send(await open(), LOOK, { logo_file: png() });
    expect([refused.status, refused.body.includes('no room for another file'), patches]).toEqual([422, true, []]);
  });

  it('stays in the form while admin-api cannot store it', async () => {
    refusal = { code: 'temporarily_unavailable', detail: 'The store of files does not answer' };
    const shown = await send(await open(), LOOK, { logo_file: png() });
    expect([shown.status, shown.body.includes('cannot be reached')]).toEqual([503, true]);
    refusal = undefined;
    expect([(await send(shown, LOOK, {})).status, patches]).toEqual([303, [{ logo_file_id: FILE_ID }]]);
  });

  it('needs a form of at most 8 MiB', async () => {
    const { status, body } = await send(await open(), LOOK, { logo_file: Buffer.alloc(LOOK_FORM_BYTES) });
    expect([status, body.includes('larger than 0.5 MB')]).toEqual([422, true]);
    const longer = await send(await open(), LOOK, { logo_file: Buffer.alloc(LOOK_FORM_BYTES + 16 * 1024) });
    expect([longer.status, longer.body.includes('more than 8 MB')]).toEqual([413, true]);
    expect(pictures).toEqual([]);
  });

  it('needs the token of the session, and a role of the person', async () => {
    for (const path of [LOOK, PREVIEW])
      expect((await send(await open(), path, { csrf: 'none', logo_file: png() })).status).toBe(403);
    const { flow, page } = await signedIn(auth, '/account', 'lecturer');
    for (const path of [LOOK, PREVIEW])
      expect((await send(page, path, { base: baseOf(await open()), logo_file: png() }, flow)).status).toBe(404);
    expect([pictures, patches]).toEqual([[], []]);
  });

  it('speaks Chinese in its form and its errors', async () => {
    const headers = { cookie: owner.browser.cookiesFor(LOOK), 'accept-language': 'zh-TW' };
    const page = await (await fetch(new URL(LOOK, auth.site.base_url), { headers })).text();
    expect(page).toContain('選擇標誌的檔案');
    expect(page).toContain('PNG、JPEG 或 WebP，最大 0.5 MB。');
    const large = png(64, 64, PAGE_PICTURE_BYTES + 1);
    const refused = await send({ body: page }, LOOK, { logo_file: large }, owner, 'zh-TW');
    expect([refused.status, refused.body.includes('這張照片超過 0.5 MB')]).toEqual([422, true]);
  });
});
