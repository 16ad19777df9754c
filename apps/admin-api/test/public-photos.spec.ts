import { deflateSync } from 'node:zlib';
import { FileStorage } from '#src/files/file.storage.js';
import { FileSweep } from '#src/files/file.sweep.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';
import { PNG_END as END, PNG_SIGNATURE as SIGNATURE, chunk, pngHeader } from './new-image.js';
import { arrived, complete, follow } from './new-upload.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const HEADER = pngHeader(3, 2);
const PLACE = chunk('tEXt', Buffer.from('GPS 25.03 N 121.56 E'));
const PIXELS = chunk('IDAT', deflateSync(Buffer.alloc((3 + 1) * 2)));

const IMAGE = { purpose: 'image', filename: 'a.png', content_type: 'image/png' };

/** The id of a course picture that is ready, and its public address. */
async function picture(content: Buffer): Promise<{ id: string; url: string }> {
  const upload = await arrived(api, content, IMAGE);
  expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  const body = { name: 'Knots', slug: unique('pictured'), image_file_id: upload.id };
  const made = await api.send('POST', '/api/v1/courses', { body });
  return { id: upload.id, url: String(made.body['image_url']) };
}

it('shows everyone a photo without the place, and the school the file as it is', async () => {
  const original = Buffer.concat([SIGNATURE, HEADER, PLACE, PIXELS, END]);
  const { id, url } = await picture(original);
  const cleaned = Buffer.concat([SIGNATURE, HEADER, PIXELS, END]);
  const shown = await Promise.all([follow(api, 'GET', url), follow(api, 'GET', url)]);
  for (const { status, headers, text } of [...shown, await follow(api, 'GET', url)]) {
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(headers['content-length']).toBe(String(cleaned.length));
    expect(text).not.toContain('GPS');
  }
  const upload = await api.send('GET', `/api/v1/uploads/${id}`);
  expect((await follow(api, 'GET', String(upload.body['url']))).text).toContain('GPS 25.03');
});

it('rejects a photo that ends too early', async () => {
  const upload = await arrived(api, Buffer.concat([SIGNATURE, HEADER, PLACE, PIXELS]), IMAGE);
  const { body } = await complete(api, upload);
  expect(body).toMatchObject({ state: 'rejected', rejection: 'damaged_image' });
});

it('deletes the copy of a photo with its file', async () => {
  const { id, url } = await picture(Buffer.concat([SIGNATURE, HEADER, PLACE, PIXELS, END]));
  expect((await follow(api, 'GET', url)).status).toBe(200);
  const { store } = api.service.app.get(FileStorage);
  const key = `public/${api.sites[0].site_id}/${id}`;
  expect(await store.head(key)).toBeDefined();
  await withDatabase(api.databaseUrl, async (client) => {
    await client.query('delete from file_uses where file_id = $1', [id]);
    await client.query(`update files set sweep_at = now() - interval '1 second' where id = $1`, [id]);
  });
  await api.service.app.get(FileSweep, { strict: false }).run();
  expect(await store.head(key)).toBeUndefined();
});
