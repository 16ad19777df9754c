import { Readable } from 'node:stream';
import pg from 'pg';
import { FileStorage } from '#src/files/file.storage.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { GIF } from './new-image.js';
import { announced, arrived, complete, CSV, follow, newUpload, put, uploadPath } from './new-upload.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
let database: pg.Client;
beforeAll(async () => {
  api = await startAdminApi();
  database = new pg.Client(api.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await api.stop();
});

const codeOf = ({ status, body }: { readonly status: number; readonly body: object }) => [
  status,
  Reflect.get(body, 'code'),
];
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>';

describe('an upload', () => {
  it('takes the announced bytes and makes them a file with a download link', async () => {
    const upload = await newUpload(api);
    expect(upload).toMatchObject({ state: 'pending', rejection: null, url: null });
    expect(upload.headers).toEqual([{ name: 'content-type', value: 'text/csv' }]);
    expect((await put(api, upload)).status).toBe(200);
    const ready = await complete(api, upload);
    expect(ready.body).toMatchObject({ state: 'ready', rejection: null, upload_url: null, headers: null });
    const file = await follow(api, 'GET', String(ready.body['url']));
    expect([file.status, file.text]).toEqual([200, CSV]);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-length': String(CSV.length),
      'content-disposition': 'attachment; filename="students.csv"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
    });
    expect(file.headers['set-cookie']).toBeUndefined();
    expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
    const events = await api.events.of([upload.id], 2);
    expect(events.map(({ type }) => type)).toEqual(['school.file.created.v1', 'school.file.ready.v1']);
  });

  it('shows a raster image in the browser, and no SVG', async () => {
    for (const [content, content_type, shown] of [
      [GIF, 'image/gif', 'inline'],
      [SVG, 'image/svg+xml', 'attachment'],
    ] as const) {
      const ready = await complete(api, await arrived(api, content, { purpose: 'image', content_type }));
      const { headers } = await follow(api, 'GET', String(ready.body['url']));
      expect(headers['content-disposition']).toMatch(new RegExp(`^${shown};`));
    }
  });

  it('cannot complete before its bytes arrive', async () => {
    const upload = await newUpload(api);
    expect(codeOf(await complete(api, upload))).toEqual([409, 'invalid_state']);
    expect((await api.send('GET', uploadPath(upload))).body).toMatchObject({ state: 'pending' });
  });

  it('takes other bytes for the same link until it is completed, and none after that', async () => {
    const upload = await newUpload(api);
    expect((await put(api, upload, CSV.replace('Mei', 'Lin'))).status).toBe(400);
    expect((await put(api, upload)).status).toBe(200);
    const { body } = await complete(api, upload);
    // The link still leads to the place of uploads, which the file has left.
    expect((await put(api, upload)).status).toBe(200);
    expect((await follow(api, 'GET', String(body['url']))).text).toBe(CSV);
  });

  it('checks without a change in a dry run, and gives no link to a new one', async () => {
    const upload = await arrived(api);
    const checked = await api.send('POST', `${uploadPath(upload)}/complete?dry_run=true`);
    expect(checked.body).toMatchObject({ dry_run: true, state: 'ready' });
    expect((await api.send('GET', uploadPath(upload))).body).toMatchObject({ state: 'pending' });
    expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
    const dry = await api.send('POST', '/api/v1/uploads?dry_run=true', { body: announced(CSV) });
    expect(dry.body).toMatchObject({ id: null, upload_url: null, headers: null });
  });

  it.each([
    ['type_mismatch', '%PDF-1.7', { content_type: 'text/csv' }],
    ['type_mismatch', CSV, { purpose: 'image', content_type: 'image/png' }],
    ['unsafe_svg', SVG.replace('<rect', '<script/><rect'), { purpose: 'logo', content_type: 'image/svg+xml' }],
    ['unsafe_zip', 'PK\u0003\u0004 and no directory', { purpose: 'page_bundle', content_type: 'application/zip' }],
  ])('ends with %s by its content', async (rejection, content, more) => {
    const upload = await arrived(api, content, more);
    expect((await complete(api, upload)).body).toMatchObject({ state: 'rejected', rejection, url: null });
    expect(codeOf(await complete(api, upload))).toEqual([409, 'invalid_state']);
  });

  it.each([
    ['size_mismatch', CSV.slice(1)],
    ['sha256_mismatch', CSV.replace('Mei', 'Lin')],
  ])('ends with %s by the bytes in a store', async (rejection, content) => {
    const upload = await newUpload(api);
    const { store } = api.service.app.get(FileStorage);
    const { site_id } = api.sites[0];
    const { bytes, sha256 } = announced(content) as { bytes: number; sha256: string };
    // A store that does not verify checksums, such as some S3-compatible ones.
    await store.put(`uploads/${site_id}/${upload.id}`, Readable.from([content]), { bytes, sha256, content_type: '' });
    expect((await complete(api, upload)).body).toMatchObject({ state: 'rejected', rejection });
  });

  it.each([
    [{ filename: '../a.csv' }, '/filename'],
    [{ filename: 'a\u202evsc.exe' }, '/filename'],
    [{ content_type: 'image/png' }, '/content_type'],
    [{ bytes: 20 * 1024 * 1024 + 1 }, '/bytes'],
    [{ sha256: 'A'.repeat(64) }, '/sha256'],
  ])('refuses %j', async (more, pointer) => {
    const response = await api.send('POST', '/api/v1/uploads', { body: announced(CSV, more) });
    expect([response.status, response.body['errors']]).toMatchObject([422, [{ pointer }]]);
  });
});

describe('a link', () => {
  it('accepts only the announced length and type', async () => {
    const upload = await newUpload(api);
    expect(codeOf(await put(api, upload, `${CSV}x`))).toEqual([400, 'invalid_request']);
    expect(codeOf(await put(api, upload, CSV, { 'content-type': 'text/html' }))).toEqual([400, 'invalid_request']);
  });

  it('works for its method, key, site and signature only', async () => {
    const upload = await newUpload(api);
    const { upload_url } = upload;
    const refused = [403, 'forbidden'];
    expect(codeOf(await follow(api, 'GET', upload_url))).toEqual(refused);
    const other = await newUpload(api);
    expect(codeOf(await put(api, { ...upload, upload_url: upload_url.replace(upload.id, other.id) }))).toEqual(refused);
    const elsewhere = upload_url.replace(new URL(upload_url).host, api.sites[1].host);
    expect(codeOf(await put(api, { ...upload, upload_url: elsewhere }))).toEqual(refused);
    const tampered = upload_url.replace(/signature=(.)/, (_all, first) => `signature=${first === 'A' ? 'B' : 'A'}`);
    expect(codeOf(await put(api, { ...upload, upload_url: tampered }))).toEqual(refused);
    expect(codeOf(await put(api, { ...upload, upload_url: upload_url.split('?')[0] ?? '' }))).toEqual(refused);
    for (const path of ['/files/..%2f..%2fetc%2fpasswd?signature=a', '/files/../secrets?signature=a']) {
      const response = await follow(api, 'GET', `${api.sites[0].base_url}${path}`);
      expect(response.status).toBeGreaterThanOrEqual(403);
    }
    expect((await put(api, upload)).status).toBe(200);
  });
});

describe('an uploader', () => {
  it('sees own uploads only, also as an owner', async () => {
    const upload = await newUpload(api);
    const tools = toolCaller(api);
    const stranger = { scopes: ['storage:write'] };
    expect(await tools.call('complete_upload', { id: upload.id }, stranger)).toMatchObject({ code: 'not_found' });
    expect(await tools.call('abort_upload', { id: upload.id }, stranger)).toMatchObject({ code: 'not_found' });
  });

  it('uploads by tools', async () => {
    const tools = toolCaller(api);
    const caller = { scopes: ['storage:write'] };
    const made = await tools.call<{ upload: Awaited<ReturnType<typeof newUpload>> }>(
      'create_upload',
      announced(CSV),
      caller,
    );
    expect((await put(api, made.upload)).status).toBe(200);
    const ready = await tools.call('complete_upload', { id: made.upload.id }, caller);
    expect(ready).toMatchObject({ dry_run: false, upload: { state: 'ready', url: expect.any(String) } });
    const aborted = await tools.call('abort_upload', { id: made.upload.id }, caller);
    expect(aborted).toMatchObject({ upload: { state: 'rejected', rejection: 'aborted', url: null } });
    const events = await api.events.of([made.upload.id], 3);
    expect(events.map(({ type }) => type.split('.')[2])).toEqual(['created', 'ready', 'rejected']);
    expect(events.at(-1)?.actor).toMatchObject({ client_id: 'an-app' });
  });
});

describe('the quota of a site', () => {
  const usage = async (site: number) =>
    (
      await database.query<object>('select bytes::int, open_uploads from file_usage where site_id = $1', [
        api.sites[site]?.site_id,
      ])
    ).rows[0];
  const start = (content = CSV) =>
    api.send('POST', '/api/v1/uploads', { site: api.sites[1], body: announced(content) });
  const limit = (bytes: number, openUploads: number) =>
    Object.assign(api.service.app.get(FileStorage).quota, { bytes, openUploads });

  it('counts bytes and open uploads, also of uploads that start at one time', async () => {
    const [first, second] = [await start(), await start()];
    expect(await usage(1)).toEqual({ bytes: 2 * CSV.length, open_uploads: 2 });
    const { bytes, openUploads } = { ...api.service.app.get(FileStorage).quota };
    limit(bytes, 4);
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => start()))).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409, 409]);
    limit(5 * CSV.length, 10);
    expect((await start()).status).toBe(201);
    expect(codeOf(await start())).toEqual([409, 'quota_exceeded']);
    limit(bytes, openUploads);
    const abort = ({ body }: { body: object }) =>
      api.send('POST', `/api/v1/uploads/${String(Reflect.get(body, 'id'))}/abort`, { site: api.sites[1] });
    expect((await abort(first)).body).toMatchObject({ state: 'rejected', rejection: 'aborted' });
    expect((await abort(first)).status).toBe(200);
    expect((await abort(second)).status).toBe(200);
    // Their bytes count until the sweep deletes them.
    expect(await usage(1)).toEqual({ bytes: 5 * CSV.length, open_uploads: 3 });
  });
});
