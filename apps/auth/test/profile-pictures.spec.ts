import { createConnection } from 'node:net';
import { READ_LIMIT } from '#src/edge/upload.js';
import { SITE_EXPORT } from '#src/database/site-export.js';
import { PICTURE_LIMITS } from '#src/profile-pictures/profile-picture.policy.js';
import { DataSource } from 'typeorm';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { PictureFlow, UPLOAD, fetched, png } from './picture-flow.js';

const ADDRESS = /^\/account\/pictures\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

const stored = (name = 'student') =>
  auth.sql<{ picture_id: string; site_id: string; length: number }>(
    `select picture_id, site_id, length(bytes) from profile_pictures join people using (person_id) where email = $1`,
    [`${name}@school.example`],
  );
const claimOf = async (flow: Flow, name: string): Promise<unknown> => {
  const { access_token } = await flow.tokens({}, name);
  return (await flow.userInfo(access_token)).body['picture'];
};
const eventsOf = (url: string) =>
  auth.sql(`select 1 from outbox where payload::jsonb #>> '{data,picture}' = $1`, [url]);

describe('A picture that a person uploads', () => {
  it('appears on the profile, in claims and in events, from the origin of the site', async () => {
    const pictures = await PictureFlow.of(auth, 'both');
    expect((await pictures.profile()).body).toContain('data-initial="T"');
    const { status, headers } = await pictures.upload(png());
    expect([status, headers.get('location')]).toEqual([303, '/account/profile']);
    const page = await pictures.profile();
    expect(page.body).toContain('Your picture is saved.');
    const path = (await pictures.shown()) ?? '';
    expect(path).toMatch(ADDRESS);
    const url = `${auth.site.base_url}${path}`;
    expect([await claimOf(pictures.flow, 'both'), await eventsOf(url)]).toEqual([url, [expect.anything()]]);
    const picture = await fetched(auth.site, path);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png());
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    // The other site has a profile of its own.
    const there = await PictureFlow.of(auth, 'both', auth.other);
    expect([await there.shown(), (await fetched(auth.other, path)).status]).toEqual([undefined, 404]);
  });

  it('allows only its own image on the page', async () => {
    const pictures = await PictureFlow.of(auth, 'admin');
    const policy = async () => {
      const cookie = pictures.flow.browser.cookiesFor('/account/profile');
      const { headers } = await pictures.flow.send('/account/profile', { headers: { cookie } });
      return /img-src ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    };
    expect(await policy()).toBe('data:');
    await pictures.upload(png());
    expect(await policy()).toBe("data: 'self'");
    await pictures.remove();
    await pictures.save({ picture: 'https://images.example/admin.png' });
    expect([await policy(), await pictures.shown()]).toEqual([
      'data: https://images.example',
      'https://images.example/admin.png',
    ]);
  });

  it('replaces the former one, whose address ends', async () => {
    const pictures = await PictureFlow.of(auth);
    await pictures.upload(png());
    const former = (await pictures.shown()) ?? '';
    await pictures.upload(png(32, 32));
    const next = (await pictures.shown()) ?? '';
    expect([(await fetched(auth.site, former)).status, (await fetched(auth.site, next)).status]).toEqual([404, 200]);
    expect(await stored()).toHaveLength(1);
  });

  it('ends when the person removes it, repeatedly, or gives an address elsewhere', async () => {
    const pictures = await PictureFlow.of(auth);
    await pictures.upload(png());
    const path = (await pictures.shown()) ?? '';
    const csrf = await pictures.csrf();
    await pictures.remove();
    expect((await pictures.flow.browser.open(`${UPLOAD}/remove`, new URLSearchParams({ csrf }))).status).toBe(200);
    expect([await pictures.shown(), (await fetched(auth.site, path)).status, await stored()]).toEqual([
      undefined,
      404,
      [],
    ]);
    expect(await claimOf(pictures.flow, 'student')).toBeUndefined();
    await pictures.upload(png());
    await pictures.save({ picture: 'https://images.example/me.png' });
    expect([await pictures.shown(), await stored()]).toEqual(['https://images.example/me.png', []]);
  });

  it('stays when the person saves other fields, also with a form from before the upload', async () => {
    const pictures = await PictureFlow.of(auth);
    await pictures.save({ picture: '' });
    const before = await pictures.profile();
    await pictures.upload(png());
    const path = await pictures.shown();
    expect(path).toMatch(ADDRESS);
    await pictures.save({ picture: '', phone: '+886912345678' }, before);
    await pictures.save({ phone: '' });
    expect([await pictures.shown(), (await stored()).length]).toEqual([path, 1]);
  });

  it('keeps one of two that are uploaded at once', async () => {
    const pictures = await PictureFlow.of(auth, 'lecturer');
    const forms = [await pictures.form(png(8, 8)), await pictures.form(png(9, 9))];
    const statuses = (await Promise.all(forms.map((form) => pictures.send(form)))).map(({ status }) => status);
    expect([statuses, (await stored('lecturer')).length]).toEqual([[303, 303], 1]);
    expect((await fetched(auth.site, (await pictures.shown()) ?? '')).status).toBe(200);
  });

  it('appears in the export of the site, and ends with the membership', async () => {
    const pictures = await PictureFlow.of(auth, 'lecturer');
    await pictures.upload(png());
    const path = (await pictures.shown()) ?? '';
    const files: Record<string, Buffer> = {};
    for await (const { key, content } of SITE_EXPORT.files!(auth.site.site_id, auth.app.get(DataSource))) {
      const parts: Uint8Array[] = [];
      for await (const part of content) parts.push(part);
      files[key] = Buffer.concat(parts);
    }
    expect(files[`profile_pictures/${path.split('/').at(-1)}`]).toEqual(png());
    const others: string[] = [];
    for await (const { key } of SITE_EXPORT.files!(auth.other.site_id, auth.app.get(DataSource))) others.push(key);
    expect(others).toEqual([]);
    const page = await pictures.flow.browser.open('/account/leave');
    await pictures.flow.submit(page, 'current', { current: 'correct-horse-battery' });
    expect([(await fetched(auth.site, path)).status, await stored('lecturer')]).toEqual([404, []]);
  });

  it('loses the place of a photo', async () => {
    const pictures = await PictureFlow.of(auth);
    const place = Buffer.concat([Buffer.from('00000003', 'hex'), Buffer.from('eXIfGPS'), Buffer.alloc(4)]);
    await pictures.upload(Buffer.concat([png().subarray(0, 33), place, png().subarray(33)]));
    const picture = await fetched(auth.site, (await pictures.shown()) ?? '');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png());
  });

  it('returns 404 for an unknown or malformed id', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', "'"])
      expect((await fetched(auth.site, `/account/pictures/${id}`)).status).toBe(404);
  });
});

describe('The form of a picture', () => {
  const { bytes, side } = PICTURE_LIMITS;

  it.each([
    ['the largest file', png(64, 64, bytes)],
    ['the largest sides', png(side, side)],
  ])('accepts %s', async (_what, file) => {
    const pictures = await PictureFlow.of(auth, 'owner');
    expect((await pictures.upload(file)).status).toBe(303);
  });

  it.each([
    ['a larger file', png(64, 64, bytes + 1), 'larger than 1 MB'],
    ['a file beyond the form', png(64, 64, 2 * bytes), 'larger than 1 MB'],
    ['larger sides', png(side + 1, 1), 'wider or higher than 4096 pixels'],
    ['no file', Buffer.alloc(0), 'Choose a picture first'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'not a PNG'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'not a PNG'],
    ['half a file', png().subarray(0, -1), 'not a PNG'],
  ])('refuses %s beside its field, and keeps the picture', async (_what, file, words) => {
    const pictures = await PictureFlow.of(auth, 'owner');
    const before = await pictures.shown();
    const { status, body } = await pictures.upload(file);
    expect([status, body]).toEqual([422, expect.stringMatching(new RegExp(`id="file-error">[^<]*${words}`))]);
    expect(await pictures.shown()).toBe(before);
  });

  it('requires a session, its token and its origin', async () => {
    const pictures = await PictureFlow.of(auth, 'owner');
    const before = await stored('owner');
    const form = () => pictures.form(png());
    for (const { status } of [
      await pictures.send(await form(), { cookie: '' }),
      await pictures.send(await pictures.form(png(), 'x')),
      await pictures.send(await form(), { origin: 'https://evil.example' }),
      await pictures.send(await form(), { 'sec-fetch-site': 'cross-site' }),
    ]) {
      expect(status).toBe(403);
    }
    const cookie = pictures.flow.browser.cookiesFor(UPLOAD);
    expect((await pictures.flow.post(`${UPLOAD}/remove`, { csrf: 'x' }, { cookie })).status).toBe(403);
    expect(await stored('owner')).toEqual(before);
  });

  it('refuses another media type, a broken body and repeated fields', async () => {
    const pictures = await PictureFlow.of(auth, 'owner');
    const cookie = pictures.flow.browser.cookiesFor(UPLOAD);
    expect((await pictures.flow.post(UPLOAD, { csrf: await pictures.csrf() }, { cookie })).status).toBe(415);
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x'])
      expect(
        (await pictures.flow.send(UPLOAD, { method: 'POST', body: 'x', headers: { cookie, 'content-type': type } }))
          .status,
      ).toBe(400);
    const [twice, tokens] = [await pictures.form(png()), await pictures.form(png())];
    twice.append('file', new File(['x'], 'x.png'));
    tokens.append('csrf', 'x');
    expect([(await pictures.send(twice)).status, (await pictures.send(tokens)).status]).toEqual([400, 400]);
  });

  it.each([
    ['a page', 'text/html', /content-type: text\/html[^]*The form or its file is too large/i],
    ['JSON', '*/*', /content-type: application\/json[^]*"error":"invalid_request"/i],
  ])('does not read a body without end, and responds with %s', async (_what, accept, shown) => {
    const pictures = await PictureFlow.of(auth, 'owner');
    const { hostname, port, host } = new URL(auth.site.base_url);
    const socket = createConnection(Number(port), hostname);
    const cookie = pictures.flow.browser.cookiesFor(UPLOAD);
    const response = new Promise<string>((resolve, reject) => {
      let text = '';
      socket.on('data', (data) => (text += data.toString('latin1')));
      socket.once('close', () => resolve(text));
      socket.once('error', reject);
    });
    const head = [
      `POST ${UPLOAD} HTTP/1.1`,
      `host: ${host}`,
      `cookie: ${cookie}`,
      `accept: ${accept}`,
      'content-type: multipart/form-data; boundary=xxxx',
    ];
    socket.write(`${[...head, `content-length: ${READ_LIMIT + 1}`].join('\r\n')}\r\n\r\n`);
    const text = await response;
    expect([text.split('\r\n', 1)[0], text]).toEqual(['HTTP/1.1 413 Payload Too Large', expect.stringMatching(shown)]);
  });
});
