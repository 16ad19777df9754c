import { eventually } from '@lyceum/testing';
import sharp from 'sharp';
import { FileStorage } from '#src/files/file.storage.js';
import { FileSweep } from '#src/files/file.sweep.js';
import { ImageConverter } from '#src/images/image.converter.js';
import { WIDTHS } from '#src/images/image.policy.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { chunk, png } from './new-image.js';
import { PLACE, picture, red, sizeAt } from './new-picture.js';
import type { Format } from './new-picture.js';
import { bytesAt, follow } from './new-upload.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

const converter = (): ImageConverter => api.service.app.get(ImageConverter, { strict: false });
const bytesOf = async (link: string): Promise<Buffer> => (await bytesAt(api, link)).bytes;

async function sizesOf(id: string): Promise<string[]> {
  const keys: string[] = [];
  const prefix = `sized/${api.sites[0].site_id}/${id}/`;
  for await (const { key } of api.service.app.get(FileStorage).store.list(prefix)) keys.push(key);
  return keys;
}

describe('an image with a width', () => {
  it.each<[Format, string]>([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
    ['avif', 'image/avif'],
  ])(
    'becomes a smaller WebP of a %s without metadata, under a name with a hash that caches keep',
    async (format, type) => {
      const content = await red(format);
      const { id, url } = await picture(api, content, type);
      const name = await sizeAt(api, url, 128);
      expect(name).toMatch(new RegExp(`^${url}/128-[0-9a-f]{16}\\.webp$`));
      const shown = await follow(api, 'GET', name);
      expect(shown.status).toBe(200);
      expect(shown.headers).toMatchObject({
        'content-type': 'image/webp',
        'content-disposition': 'inline; filename="red.photo.webp"',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      });
      const found = await sharp(await bytesOf(name)).metadata();
      expect(found).toMatchObject({ format: 'webp', width: 128, height: 64 });
      expect([found.exif, found.xmp, found.iptc]).toEqual([undefined, undefined, undefined]);
      expect(await sizesOf(id)).toHaveLength(1);
      const whole = await bytesOf(url);
      expect(await sharp(whole).metadata()).toMatchObject({ width: 400, height: 200 });
      expect([content.includes(PLACE), whole.includes(PLACE)]).toEqual([format !== 'gif', false]);
    },
  );

  it('stays as small as its file, and gives each width a name', async () => {
    const { url } = await picture(api, await red('png'), 'image/png');
    const names = await Promise.all(WIDTHS.map((width) => sizeAt(api, url, width)));
    expect(new Set(names).size).toBe(WIDTHS.length);
    const largest = await sharp(await bytesOf(names.at(-1) ?? '')).metadata();
    expect(largest).toMatchObject({ width: 400, height: 200 });
  });

  it('serves each width of an image that is taller than a WebP can be', async () => {
    const image = sharp({ create: { width: 200, height: 20_000, channels: 3, background: '#00f' } });
    const { url } = await picture(api, await image.png().toBuffer(), 'image/png');
    const shown = await Promise.all(WIDTHS.map(async (width) => follow(api, 'GET', await sizeAt(api, url, width))));
    expect(shown.map(({ status }) => status)).toEqual(WIDTHS.map(() => 200));
  });

  it('stands upright', async () => {
    const image = sharp({ create: { width: 400, height: 200, channels: 3, background: '#00f' } });
    const { url } = await picture(api, await image.withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'image/jpeg');
    const found = await sharp(await bytesOf(await sizeAt(api, url, 128))).metadata();
    expect(found).toMatchObject({ width: 128, height: 256 });
    expect(found.orientation).toBeUndefined();
  });

  it('costs one conversion, for requests at one time and later', async () => {
    const { url } = await picture(api, await red('jpeg'), 'image/jpeg');
    const name = await sizeAt(api, url, 256);
    const made = jest.spyOn(converter(), 'sized');
    try {
      const statuses = (await Promise.all([1, 2, 3].map(() => follow(api, 'GET', name)))).map(({ status }) => status);
      expect([...statuses, (await follow(api, 'GET', name)).status]).toEqual([200, 200, 200, 200]);
      expect(made).toHaveBeenCalledTimes(1);
    } finally {
      made.mockRestore();
    }
  });

  it('responds with 400 to a width that is not in the list', async () => {
    const { url } = await picture(api, await red('png'), 'image/png');
    for (const query of ['w=63', 'w=65', 'w=1921', 'w=0', 'w=-1', 'w=', 'w=64&w=128', 'w=64px', 'w=99999999999']) {
      const { status, body } = await follow(api, 'GET', `${url}?${query}`);
      expect([query, status, body['code']]).toEqual([query, 400, 'invalid_request']);
      expect(body['detail']).toContain('w must be one of 64, 128, 256');
    }
  });

  it('does not exist under another name, at another site, or of another image', async () => {
    const { url } = await picture(api, await red('png'), 'image/png');
    const other = await picture(api, await red('jpeg'), 'image/jpeg');
    const name = await sizeAt(api, url, 64);
    const hash = name.slice(-21);
    for (const wrong of [
      name.replace('/64-', '/65-'),
      name.replace('.webp', '.png'),
      name.replace('.webp', ''),
      `${other.url}/64-${hash}`,
      name.replace(api.sites[0].host, api.sites[1].host),
      `${url}/..%2f..%2fsecrets`,
    ])
      expect([wrong, (await follow(api, 'GET', wrong)).status]).toEqual([wrong, 404]);
    expect((await follow(api, 'GET', name)).status).toBe(200);
  });

  it('shows the vector image itself for an SVG', async () => {
    const { id, url } = await picture(api, SVG, 'image/svg+xml');
    const shown = await follow(api, 'GET', `${url}?w=64`);
    expect([shown.status, shown.text]).toEqual([200, SVG]);
    expect(await sizesOf(id)).toEqual([]);
  });

  it('ends with its file', async () => {
    const { id, url } = await picture(api, await red('png'), 'image/png');
    const name = await sizeAt(api, url, 64);
    expect((await follow(api, 'GET', name)).status).toBe(200);
    expect(await sizesOf(id)).toHaveLength(1);
    await withDatabase(api.databaseUrl, async (client) => {
      await client.query('delete from file_uses where file_id = $1', [id]);
      expect((await follow(api, 'GET', name)).status).toBe(404);
      await client.query(`update files set sweep_at = now() - interval '1 second' where id = $1`, [id]);
    });
    await api.service.app.get(FileSweep, { strict: false }).run();
    expect(await sizesOf(id)).toEqual([]);
  });

  it('leaves nothing when its file ends while it is made', async () => {
    const { id, url } = await picture(api, await red('png'), 'image/png');
    const name = await sizeAt(api, url, 64);
    const { store } = api.service.app.get(FileStorage);
    const put = store.put.bind(store);
    const slow = jest.spyOn(store, 'put').mockImplementation(async (...args) => {
      await withDatabase(api.databaseUrl, (client) => client.query('delete from file_uses where file_id = $1', [id]));
      await put(...args);
    });
    try {
      expect((await follow(api, 'GET', name)).status).toBe(404);
    } finally {
      slow.mockRestore();
    }
    expect(await sizesOf(id)).toEqual([]);
  });

  it('leaves the event loop to other requests while images are converted', async () => {
    const noise = sharp({
      create: {
        width: 4_000,
        height: 3_000,
        channels: 3,
        background: '#777',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    });
    const { url } = await picture(api, await noise.jpeg({ quality: 60 }).toBuffer(), 'image/jpeg');
    const names = await Promise.all([1920, 1280, 960].map((width) => sizeAt(api, url, width)));
    let converting = true;
    const shown = Promise.all(names.map((name) => follow(api, 'GET', name))).finally(() => (converting = false));
    let responded = 0;
    await eventually(
      async () => {
        expect((await api.send('GET', '/api/v1/courses?limit=1')).status).toBe(200);
        responded += converting ? 1 : 0;
        return !converting;
      },
      (done) => done,
    );
    expect((await shown).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responded).toBeGreaterThan(0);
  });
});

it('gives a PNG with a text no metadata in any size', async () => {
  const { url } = await picture(api, png(400, 10, chunk('tEXt', Buffer.from(PLACE))), 'image/png');
  expect((await bytesOf(url)).includes(PLACE)).toBe(false);
  expect(await sharp(await bytesOf(await sizeAt(api, url, 64))).metadata()).toMatchObject({ width: 64, height: 2 });
});
