import { REQUEST_HEADERS, linkFile } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs } from '@lyceum/testing';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type pg from 'pg';
import { DownloadLinks } from '#src/download-links/download-links.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld, file } from './purchase-world.js';

let api: TestApi;
let world: PurchaseWorld;
let member: { site_id: string; person_id: string };
let database: pg.Client;
let school: NatsConnection;
let responder: Subscription | undefined;

const linkOf = (file_id: string | undefined): string => `https://files.example/${file_id}?v=1`;

/** Responds in place of admin-api. */
async function respond(reply?: Reply): Promise<void> {
  responder?.unsubscribe();
  responder = school.subscribe(linkFile.subject, {
    callback: (_error, message) => {
      const { file_id } = message.json<{ file_id: string }>();
      const known = message.headers?.get(REQUEST_HEADERS.site) === member.site_id;
      const result = { url: linkOf(file_id), expires_at: '2035-01-01T00:00:00.000Z' };
      const refused = { ok: false, error: { code: 'not_found', detail: 'No such file' } };
      message.respond(JSON.stringify(reply ?? (known ? { ok: true, result } : refused)));
    },
  });
  await school.flush();
}

beforeAll(async () => {
  api = await startMemberApi();
  school = await connectAs(api.nats.environment('admin-api'));
  world = new PurchaseWorld(api.world);
  member = await api.member();
  database = await api.connect();
});
beforeEach(() => respond());
afterAll(async () => {
  await school.close();
  await api.stop();
});

const QUERY = '{ viewer { digitalProducts(first: 100) { nodes { slug downloadCount state files { downloadUrl } } } } }';
const product = (data: Data, slug: string): Data =>
  data.viewer?.digitalProducts.nodes.find((one: Data) => one.slug === slug);
const until = async (slug: string, done: (found: Data) => boolean): Promise<Data> =>
  product(await api.until(QUERY, (data) => done(product(data, slug))), slug);

/** A product of the member, and the path of its first link. */
async function sold(slug: string, download_limit: number | null = null) {
  const made = await world.product({
    site_id: member.site_id,
    slug,
    download_limit,
    files: [file('a.pdf'), file('b.pdf')],
  });
  const grant = await world.grant({ ...member, digital_product_id: made.digital_product_id });
  const { files } = await until(slug, Boolean);
  return { made, grant, path: pathOf(files[0].downloadUrl) };
}

const pathOf = (url: string): string => url.slice(api.sites[0].base_url.length);
const follow = (path: string, options: { method?: string; site?: TestApi['sites'][number] } = {}) =>
  api.query('', { method: 'GET', body: undefined, token: null, path, ...options });
const count = async (slug: string): Promise<number> => product((await api.query(QUERY)).body.data, slug).downloadCount;

describe('a link to a file', () => {
  it('redirects to the file without a token, forbids caching, and counts the download', async () => {
    const { path, made } = await sold('charts');
    const response = await follow(path);
    expect([response.status, response.headers['location']]).toEqual([302, linkOf(made.files[0]?.file_id)]);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(await count('charts')).toBe(1);
    expect((await follow(path, { method: 'HEAD' })).status).toBe(302);
    expect(await count('charts')).toBe(1);
  });

  it('allows downloads up to the limit, also concurrent ones, and then returns 403', async () => {
    const { path } = await sold('limited', 3);
    const responses = await Promise.all(Array.from({ length: 8 }, () => follow(path)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      302, 302, 302, 403, 403, 403, 403, 403,
    ]);
    expect((await follow(path, { method: 'HEAD' })).status).toBe(403);
    const { downloadCount, state, files } = await until('limited', Boolean);
    expect({ downloadCount, state, files }).toEqual({
      downloadCount: 3,
      state: 'ACTIVE',
      files: [{ downloadUrl: null }, { downloadUrl: null }],
    });
  });

  it('rejects a link at another site, with a changed character, or malformed', async () => {
    const { path } = await sold('fenced');
    const [, other] = api.sites;
    const last = path.at(-2) === 'A' ? 'B' : 'A';
    for (const options of [
      follow(path, { site: other }),
      follow(`${path.slice(0, -2)}${last}${path.slice(-1)}`),
      follow(`${path}&token=x`),
      follow('/member/downloads?token='),
      follow('/member/downloads'),
      follow(`/member/downloads?token=${'A'.repeat(96)}`),
    ]) {
      const { status, headers, text } = await options;
      expect([status, headers['location']]).toEqual([404, undefined]);
      expect(text).not.toContain('files.example');
    }
    expect(await count('fenced')).toBe(0);
  });

  it('invalidates a link when the grant is revoked, or the product or file is deleted', async () => {
    const revoked = await sold('revoked');
    await world.grant({ ...revoked.grant, state: 'revoked' }, { version: 2, name: 'revoked' });
    await until('revoked', (found) => found === undefined);
    const deleted = await sold('deleted');
    await world.product({ ...deleted.made, state: 'deleted' }, { version: 2, name: 'deleted' });
    await until('deleted', (found) => found === undefined);
    const changed = await sold('changed');
    await world.product({ ...changed.made, files: [] }, { version: 2, name: 'updated' });
    await until('changed', ({ files }) => files.length === 0);
    const expired = await sold('expired');
    await world.grant({ ...expired.grant, expires_at: '2020-01-01T00:00:00.000Z' }, { version: 2, name: 'expired' });
    await until('expired', ({ state }) => state === 'EXPIRED');
    for (const { path } of [revoked, deleted, changed, expired]) expect((await follow(path)).status).toBe(404);
  });

  it('invalidates a link when the member is gone', async () => {
    const { path } = await sold('left');
    await api.world.role({ ...member, roles: [] }, { version: 2 });
    await api.until(QUERY, ({ viewer }) => viewer === null);
    expect((await follow(path)).status).toBe(404);
    await api.world.role(member, { version: 3 });
    await until('left', Boolean);
    expect((await follow(path)).status).toBe(302);
  });

  it('counts no download that the school makes no link for', async () => {
    const { path } = await sold('unlinked', 1);
    await respond({ ok: false, error: { code: 'not_found', detail: 'No object of this site uses the file' } });
    expect((await follow(path)).status).toBe(404);
    responder?.unsubscribe();
    await school.flush();
    expect((await follow(path)).status).toBe(503);
    expect(await count('unlinked')).toBe(0);
    await respond();
    expect((await follow(path)).status).toBe(302);
    expect(await count('unlinked')).toBe(1);
  });

  it('rejects other methods, and masks unexpected errors', async () => {
    const { path } = await sold('faulty');
    expect((await follow(path, { method: 'POST' })).status).toBe(405);
    await database.query('ALTER TABLE digital_product_downloads RENAME TO gone');
    const { status, text } = await follow(path);
    await database.query('ALTER TABLE gone RENAME TO digital_product_downloads');
    expect(status).toBe(500);
    expect(text).not.toMatch(/digital_product|42P01|files\.example/);
  });
});

describe('the time of a link', () => {
  const links = new DownloadLinks([Buffer.alloc(32, 3)]);
  const NOW = Date.parse('2026-11-20T22:00:00Z');

  it('expires a link after ten minutes, to the second', async () => {
    const scope = links.scope(member, NOW);
    const [row_id, source_id, file_id] = [uuidv7(), uuidv7(), uuidv7()];
    const ids = [row_id, source_id, file_id].map((id) => id.replaceAll('-', ''));
    const { rows } = await database.query<{ token: string }>(
      `WITH given AS (SELECT int8send($1) || decode($2, 'hex') AS bytes)
       SELECT translate(encode(bytes || substr(sha256($4::bytea || sha256($3::bytea || bytes)), 1, 16), 'base64'), E'+/=\\n', '-_') AS token FROM given`,
      [scope.expires, ids.join(''), scope.key.inner, scope.key.outer],
    );
    const token = rows[0]?.token ?? '';
    const download = { row_id, source_id, file_id };
    expect(links.read(member.site_id, token, NOW + 599_999)).toEqual(download);
    expect(links.read(member.site_id, token, NOW + 600_000)).toBeUndefined();
    expect(links.read(api.sites[1].site_id, token, NOW)).toBeUndefined();
    const [old, young] = [Buffer.alloc(32, 3), Buffer.alloc(32, 4)];
    expect(new DownloadLinks([young, old]).read(member.site_id, token, NOW)).toEqual(download);
    expect(new DownloadLinks([young]).read(member.site_id, token, NOW)).toBeUndefined();
  });
});
