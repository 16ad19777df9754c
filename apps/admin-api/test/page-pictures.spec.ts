import { randomBytes } from 'node:crypto';
import { PAGE_PICTURE_BYTES, changeAppearance, getSiteSettings, storePicture } from '@lyceum/contracts';
import type { Reply, Role } from '@lyceum/contracts';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { AuthRequests } from './auth-requests.js';
import { withDatabase } from './database.js';
import { chunk, png } from './new-image.js';
import { follow } from './new-upload.js';

const MEMBER = { person_id: '018f3b1e-0000-7000-8000-000000000001', member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a' };
const OTHER = { person_id: '018f3b1e-0000-7000-8000-000000000002', member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5b' };
const OWNER: Role[] = ['owner'];

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
const codeOf = (reply: Reply): unknown => (reply.ok ? 'ok' : reply.error.code);

const store = (content: Buffer, more: object = {}, site = api.sites[0]) => {
  const file = { filename: 'logo.png', content_type: 'image/png', content: content.toString('base64') };
  return request(storePicture, { ...MEMBER, roles: OWNER, ...file, ...more }, site);
};
async function stored(content: Buffer, more: object = {}): Promise<string> {
  const reply = await store(content, more);
  if (!reply.ok) throw new Error(reply.error.detail);
  const { file_id } = storePicture.output.parse(reply.result);
  if (file_id === null) throw new Error('The picture was rejected');
  return file_id;
}
async function look() {
  const reply = await request(getSiteSettings, { roles: OWNER });
  if (!reply.ok) throw new Error(reply.error.detail);
  return getSiteSettings.output.parse(reply.result).appearance;
}
async function change(patch: object, member = MEMBER): Promise<Reply> {
  const { version } = await look();
  return request(changeAppearance, { ...member, roles: OWNER, version, patch });
}

/** A different picture for each number. */
const drawn = (number: number, ...more: readonly Buffer[]): Buffer =>
  png(8, 8, chunk('tEXt', Buffer.from(`Comment\0${number}`)), ...more);
/** A valid picture of exactly these bytes. */
function drawnOf(bytes: number): Buffer {
  const room = bytes - png(8, 8, chunk('teSt')).length;
  return png(8, 8, chunk('teSt', randomBytes(room)));
}

const rowsOf = async (): Promise<readonly { state: string; rejection: string | null }[]> => {
  const { rows } = await withDatabase(api.databaseUrl, (client) =>
    client.query<{ state: string; rejection: string | null }>(
      'select state, rejection from files where site_id = $1 order by id',
      [api.sites[0].site_id],
    ),
  );
  return rows;
};

describe('a picture of a page', () => {
  it('becomes a file that the appearance shows in place of an address, and leaves it again', async () => {
    await change({ logo_url: 'https://cdn.example.com/logo.svg' });
    const file_id = await stored(drawn(1));
    expect(codeOf(await change({ logo_file_id: file_id }))).toBe('ok');
    const address = `${api.sites[0].base_url}/files/public/${file_id}`;
    expect((await look()).logo_url).toBe(address);
    const { body } = await api.send('GET', '/api/v1/appearance');
    expect(body).toMatchObject({ logo_url: address, logo_file_id: file_id });
    const shown = await follow(api, 'GET', address);
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/png']);
    const { body: log } = await api.send('GET', '/api/v1/activity?limit=1');
    expect(log['data']).toMatchObject([
      { action: 'appearance.updated', actor: { member_id: MEMBER.member_id, client_id: null, via: 'page' } },
    ]);
    expect(codeOf(await change({ logo_url: null }))).toBe('ok');
    expect((await look()).logo_url).toBeNull();
    // The revision with the logo uses the file, so that it can be restored.
    expect((await follow(api, 'GET', address)).status).toBe(200);
  });

  it('serves a form that is sent again, and no other member', async () => {
    const before = await rowsOf();
    const first = await stored(drawn(2));
    expect(await stored(drawn(2))).toBe(first);
    expect(await stored(drawn(2), OTHER)).not.toBe(first);
    expect(await rowsOf()).toHaveLength(before.length + 2);
  });

  it('needs pixels that can be decoded, and the content of its type', async () => {
    const damaged = png(8, 8);
    damaged.fill(0, 41, 49);
    const replies = [await store(damaged), await store(drawn(3), { content_type: 'image/webp' })];
    expect(replies).toEqual([
      { ok: true, result: { file_id: null, rejection: 'damaged_image' } },
      { ok: true, result: { file_id: null, rejection: 'type_mismatch' } },
    ]);
    expect((await rowsOf()).filter(({ state }) => state === 'rejected')).toHaveLength(2);
  });

  it('takes up to 512 KiB, which a message can have', async () => {
    expect(await stored(drawnOf(PAGE_PICTURE_BYTES))).toEqual(expect.any(String));
    expect(codeOf(await store(drawnOf(PAGE_PICTURE_BYTES + 3)))).toBe('validation_failed');
  });

  it.each([
    ['no base64', { content: '<svg/>' }],
    ['a type that pages do not send', { content_type: 'image/svg+xml' }],
    ['a name with a path', { filename: '../logo.png' }],
    ['an empty file', { content: '' }],
  ])('ends with a refusal with %s', async (_what, more) => {
    const before = await rowsOf();
    expect(codeOf(await store(drawn(4), more))).toBe('validation_failed');
    expect(await rowsOf()).toEqual(before);
  });

  it.each([[['lecturer']], [['student']], [[]]] as Role[][][])(
    'ends with a refusal for the roles %j',
    async (roles) => {
      const before = await rowsOf();
      expect(codeOf(await store(drawn(5), { roles }))).toBe('forbidden');
      expect(await rowsOf()).toEqual(before);
    },
  );

  it('belongs to no other site', async () => {
    const reply = await store(drawn(6), {}, api.sites[1]);
    const { file_id } = storePicture.output.parse(reply.ok ? reply.result : {});
    expect(file_id).toEqual(expect.any(String));
    expect(codeOf(await change({ logo_file_id: file_id }))).toBe('validation_failed');
  });
});

it('refuses a picture above the quota of the site', async () => {
  const full = await startAdminApi({ environment: { FILES_QUOTA_BYTES: '1000' } });
  const requests = await AuthRequests.to(full);
  try {
    const codes: unknown[] = [];
    for (const content of [drawnOf(700), drawnOf(700)]) {
      const file = { filename: 'logo.png', content_type: 'image/png', content: content.toString('base64') };
      codes.push(codeOf(await requests.send(storePicture, { ...MEMBER, roles: OWNER, ...file })));
    }
    expect(codes).toEqual(['ok', 'quota_exceeded']);
  } finally {
    await requests.stop();
    await full.stop();
  }
});
