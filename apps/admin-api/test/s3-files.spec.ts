import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually, startS3Server } from '@lyceum/testing';
import type { S3Server } from '@lyceum/testing';
import sharp from 'sharp';
import { FileStorage } from '#src/files/file.storage.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { linked } from './linked-file.js';
import { newCourse, unique } from './new-course.js';
import { red } from './new-picture.js';
import { bytesAt, complete, CSV, follow, newUpload, uploadPath } from './new-upload.js';
import type { Upload } from './new-upload.js';

let server: S3Server;
let api: TestApi;
beforeAll(async () => {
  server = await startS3Server();
  api = await startAdminApi({ environment: server.environment });
});
afterEach(() => server.open());
afterAll(async () => {
  await api?.stop();
  await server.stop();
});

const IMAGE = { purpose: 'image', filename: 'red.png', content_type: 'image/png' };
const codeOf = ({ status, body }: { readonly status: number; readonly body: object }) => [
  status,
  Reflect.get(body, 'code'),
];
const UNAVAILABLE = [503, 'temporarily_unavailable'];

/** Sends the bytes to the bucket, as a client does. */
async function put({ upload_url, headers }: Upload, content: Buffer | string): Promise<number> {
  const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const response = await fetch(upload_url, {
    method: 'PUT',
    headers: given,
    body: new Uint8Array(Buffer.from(content)),
  });
  await response.arrayBuffer();
  return response.status;
}

async function arrived(content: Buffer | string, more: object): Promise<Upload> {
  const upload = await newUpload(api, content, more);
  expect(await put(upload, content)).toBe(200);
  return upload;
}

it('takes an image from a bucket, and shows everyone a course with it in each size', async () => {
  const content = await red('png');
  const upload = await newUpload(api, content, IMAGE);
  const { origin, searchParams } = new URL(upload.upload_url);
  expect([origin, searchParams.get('X-Amz-Expires')]).toEqual([server.environment.S3_ENDPOINT, '3600']);
  expect(upload.headers).toEqual([
    { name: 'content-type', value: 'image/png' },
    { name: 'x-amz-checksum-sha256', value: hash('sha256', content, 'base64') },
  ]);
  expect(await put(upload, content)).toBe(200);
  const ready = await complete(api, upload);
  expect(ready.body).toMatchObject({ state: 'ready', upload_url: null });
  const own = await fetch(String(ready.body['url']));
  expect([own.status, Buffer.from(await own.arrayBuffer()).equals(content)]).toEqual([200, true]);

  const course = { name: 'Red', slug: unique('red'), image_file_id: upload.id };
  const made = await api.send('POST', '/api/v1/courses', { body: course });
  const url = String(made.body['image_url']);
  expect(url).toBe(`${api.sites[0].base_url}/files/public/${upload.id}`);
  const whole = await bytesAt(api, url);
  expect([whole.status, whole.headers['content-type']]).toEqual([200, 'image/png']);
  expect(await sharp(whole.bytes).metadata()).toMatchObject({ width: 400, height: 200 });
  const { headers } = await follow(api, 'GET', `${url}?w=64`);
  const small = new URL(headers['location'] ?? '', url).href;
  for (const shown of [await bytesAt(api, small), await bytesAt(api, small)])
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 32 });
});

it('sends a member to the bucket by a link of ten minutes', async () => {
  const upload = await arrived(CSV, { purpose: 'attachment' });
  expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  const { id: course_id } = await newCourse(api);
  const section = await api.send('POST', '/api/v1/sections', { body: { course_id, title: 'Section' } });
  const attachments = [{ title: 'List', kind: 'file', file_id: upload.id }];
  const lecture = { section_id: section.body['id'], slug: unique('l'), title: 'Lecture', attachments };
  expect((await api.send('POST', '/api/v1/lectures', { body: lecture })).status).toBe(201);
  const link = await linked(api, upload.id);
  if (typeof link === 'string') throw new Error(link);
  const { origin, searchParams } = new URL(link.url);
  expect([origin, searchParams.get('X-Amz-Expires')]).toEqual([server.environment.S3_ENDPOINT, '600']);
  const download = await fetch(link.url);
  expect([download.status, await download.text()]).toEqual([200, CSV]);
  expect(download.headers.get('content-disposition')).toContain('students.csv');
  expect((await fetch(link.url.replace('X-Amz-Expires=600', 'X-Amz-Expires=6000'))).status).toBe(403);
});

it('rejects other bytes of the announced length, which a bucket may accept', async () => {
  const upload = await newUpload(api);
  expect(await put(upload, CSV.replace('Mei', 'Lin'))).toBe(200);
  expect((await complete(api, upload)).body).toMatchObject({ state: 'rejected', rejection: 'sha256_mismatch' });
});

it('stores the same file of two sites twice, and shows each site its own', async () => {
  const uploads = await Promise.all(
    api.sites.map(async (site) => {
      const upload = await newUpload(api, CSV, { purpose: 'attachment' }, site);
      expect(await put(upload, CSV)).toBe(200);
      return { site, upload };
    }),
  );
  for (const { site, upload } of uploads) {
    const { body } = await complete(api, upload, site);
    expect(body).toMatchObject({
      state: 'ready',
      url: expect.stringContaining(`/files/${site.site_id}/${upload.id}?`),
    });
  }
  const [first, second] = uploads;
  expect((await api.send('GET', uploadPath(first!.upload), { site: second!.site })).status).toBe(404);
});

it('makes no file of half an upload', async () => {
  const upload = await newUpload(api);
  const { hostname, port, host, pathname, search } = new URL(upload.upload_url);
  const socket = connect(Number(port), hostname);
  const lines = [
    `PUT ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    `content-length: ${CSV.length}`,
    ...upload.headers.map(({ name, value }) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${CSV.slice(0, CSV.length / 2)}`);
  await once(socket, 'ready');
  socket.end();
  await once(socket.resume(), 'close');
  const { status, body } = await complete(api, upload);
  // This server keeps half a file, and may describe it. Others keep nothing.
  expect([[409, 'invalid_state'], UNAVAILABLE, [200, 'size_mismatch']]).toContainEqual([
    status,
    body['code'] ?? body['rejection'],
  ]);
  expect((await api.send('GET', uploadPath(upload))).body).toMatchObject({ url: null });
  const next = await arrived(CSV, {});
  expect((await complete(api, next)).body).toMatchObject({ state: 'ready' });
});

it('completes a file once for two requests at one time, and again later', async () => {
  const upload = await arrived(CSV, { purpose: 'attachment' });
  const moves = jest.spyOn(api.service.app.get(FileStorage).store, 'move');
  const both = await Promise.all([complete(api, upload), complete(api, upload)]);
  expect(both.map(({ status, body }) => [status, body['state']])).toEqual([
    [200, 'ready'],
    [200, 'ready'],
  ]);
  expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  expect(moves).toHaveBeenCalledTimes(1);
  moves.mockRestore();
});

describe('a bucket that does not respond', () => {
  it('loses nothing while it refuses connections', async () => {
    const upload = await arrived(CSV, { purpose: 'attachment' });
    server.shut();
    const { headers, ...response } = await complete(api, upload);
    expect([...codeOf(response), headers['retry-after']]).toEqual([...UNAVAILABLE, '5']);
    // Links are signed without the bucket.
    const other = await newUpload(api);
    server.open();
    expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
    expect(await put(other, CSV)).toBe(200);
  });

  it('leaves other requests alone while it hangs', async () => {
    const upload = await arrived(await red('jpeg'), { ...IMAGE, content_type: 'image/jpeg' });
    const { timeout } = AbortSignal;
    const shorter = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 1_000));
    server.hang();
    let isOver = false;
    const completed = complete(api, upload).finally(() => (isOver = true));
    await eventually(
      () => shorter.mock.calls.length,
      (calls) => calls > 0,
    );
    expect((await api.send('GET', '/api/v1/courses?limit=1')).status).toBe(200);
    expect(isOver).toBe(false);
    expect(codeOf(await completed)).toEqual(UNAVAILABLE);
    shorter.mockRestore();
    server.open();
    expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  });
});
