import { eventually } from '@lyceum/testing';
import sharp from 'sharp';
import { FileStorage } from '#src/files/file.storage.js';
import { FileSweep } from '#src/files/file.sweep.js';
import { ImageConverter } from '#src/images/image.converter.js';
import { MAX_PIXELS, WIDTHS } from '#src/images/image.policy.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';
import { PNG_END, PNG_SIGNATURE, chunk, png, pngHeader } from './new-image.js';
import { arrived, bytesAt, complete, follow } from './new-upload.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const PLACE = 'GPS 25.03 N 121.56 E';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif';

/** A red image of 400 × 200 pixels with the place in its Exif data, which GIF does not have. */
const red = (format: Format) =>
  sharp({ create: { width: 400, height: 200, channels: 3, background: '#f00' } })
    .withExif({ IFD0: { ImageDescription: PLACE } })
    .toFormat(format)
    .toBuffer();

async function uploaded(content: Buffer | string, content_type: string): Promise<{ id: string; state: unknown }> {
  const upload = await arrived(api, content, {
    purpose: 'image',
    filename: `red.photo.${content_type.slice(6)}`,
    content_type,
  });
  const { body } = await complete(api, upload);
  return { id: upload.id, state: body['state'] };
}

/** The address and the id of an image that a course shows. */
async function picture(content: Buffer | string, content_type: string): Promise<{ id: string; url: string }> {
  const { id } = await uploaded(content, content_type);
  const body = { name: 'Red', slug: unique('red'), image_file_id: id };
  const made = await api.send('POST', '/api/v1/courses', { body });
  expect(made.status).toBe(201);
  return { id, url: String(made.body['image_url']) };
}

const bytesOf = async (link: string): Promise<Buffer> => (await bytesAt(api, link)).bytes;

const sizeAt = async (url: string, width: number): Promise<string> => {
  const { status, headers } = await follow(api, 'GET', `${url}?w=${width}`);
  expect([status, headers['cache-control']]).toEqual([302, 'public, max-age=3600']);
  return new URL(headers['location'] ?? '', url).href;
};
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
      const { id, url } = await picture(content, type);
      const name = await sizeAt(url, 128);
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
    const { url } = await picture(await red('png'), 'image/png');
    const names = await Promise.all(WIDTHS.map((width) => sizeAt(url, width)));
    expect(new Set(names).size).toBe(WIDTHS.length);
    const largest = await sharp(await bytesOf(names.at(-1) ?? '')).metadata();
    expect(largest).toMatchObject({ width: 400, height: 200 });
  });

  it('stands upright', async () => {
    const image = sharp({ create: { width: 400, height: 200, channels: 3, background: '#00f' } });
    const { url } = await picture(await image.withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'image/jpeg');
    const found = await sharp(await bytesOf(await sizeAt(url, 128))).metadata();
    expect(found).toMatchObject({ width: 128, height: 256 });
    expect(found.orientation).toBeUndefined();
  });

  it('costs one conversion, for requests at one time and later', async () => {
    const { url } = await picture(await red('jpeg'), 'image/jpeg');
    const name = await sizeAt(url, 256);
    const made = jest.spyOn(api.service.app.get(ImageConverter, { strict: false }), 'sized');
    try {
      const statuses = (await Promise.all([1, 2, 3].map(() => follow(api, 'GET', name)))).map(({ status }) => status);
      expect([...statuses, (await follow(api, 'GET', name)).status]).toEqual([200, 200, 200, 200]);
      expect(made).toHaveBeenCalledTimes(1);
    } finally {
      made.mockRestore();
    }
  });

  it('responds with 400 to a width that is not in the list', async () => {
    const { url } = await picture(await red('png'), 'image/png');
    for (const query of ['w=63', 'w=65', 'w=1921', 'w=0', 'w=-1', 'w=', 'w=64&w=128', 'w=64px', 'w=99999999999']) {
      const { status, body } = await follow(api, 'GET', `${url}?${query}`);
      expect([query, status, body['code']]).toEqual([query, 400, 'invalid_request']);
      expect(body['detail']).toContain('w must be one of 64, 128, 256');
    }
  });

  it('does not exist under another name, at another site, or of another image', async () => {
    const { url } = await picture(await red('png'), 'image/png');
    const other = await picture(await red('jpeg'), 'image/jpeg');
    const name = await sizeAt(url, 64);
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
    const { id, url } = await picture(SVG, 'image/svg+xml');
    const shown = await follow(api, 'GET', `${url}?w=64`);
    expect([shown.status, shown.text]).toEqual([200, SVG]);
    expect(await sizesOf(id)).toEqual([]);
  });

  it('ends with its file', async () => {
    const { id, url } = await picture(await red('png'), 'image/png');
    const name = await sizeAt(url, 64);
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
    const { id, url } = await picture(await red('png'), 'image/png');
    const name = await sizeAt(url, 64);
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
});

describe('an uploaded image', () => {
  const side = Math.sqrt(MAX_PIXELS['image/png']);

  it('accepts the limit of pixels, and rejects more before they are decoded', async () => {
    const before = process.memoryUsage().rss;
    // The pixels are missing, so a decoder would fail in another way.
    const header = (width: number, height: number) =>
      Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), chunk('IDAT'), PNG_END]);
    expect(await uploaded(header(side, side), 'image/png')).toMatchObject({ state: 'ready' });
    for (const [width, height] of [
      [side + 1, side],
      [100_000, 100_000],
      [0x7fff_ffff, 0x7fff_ffff],
    ] as const) {
      const { id, state } = await uploaded(header(width, height), 'image/png');
      expect([width, state]).toEqual([width, 'rejected']);
      const { body } = await api.send('GET', `/api/v1/uploads/${id}`);
      expect(body['rejection']).toMatch(width > 1_000_000 ? /too_many_pixels|type_mismatch/ : /too_many_pixels/);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('accepts fewer pixels of an AVIF, whose decoder takes more memory', async () => {
    const [width, height] = [4_000, MAX_PIXELS['image/avif'] / 4_000];
    const avif = (more: number) =>
      sharp({ create: { width, height: height + more, channels: 3, background: '#0f0' } })
        .avif({ effort: 0, quality: 1 })
        .toBuffer();
    expect((await uploaded(await avif(0), 'image/avif')).state).toBe('ready');
    expect((await uploaded(await avif(1), 'image/avif')).state).toBe('rejected');
  });

  it('ends as rejected when its header cannot be read', async () => {
    const { id, state } = await uploaded(Buffer.concat([PNG_SIGNATURE, chunk('IHDR', Buffer.alloc(5))]), 'image/png');
    expect(state).toBe('rejected');
    expect((await api.send('GET', `/api/v1/uploads/${id}`)).body).toMatchObject({ rejection: 'type_mismatch' });
  });

  it('does not appear when its pixels cannot be decoded, and costs one attempt', async () => {
    const broken = Buffer.concat([PNG_SIGNATURE, pngHeader(400, 400), chunk('IDAT', Buffer.alloc(9, 2)), PNG_END]);
    const { url } = await picture(broken, 'image/png');
    const name = await sizeAt(url, 64);
    const tried = jest.spyOn(api.service.app.get(ImageConverter, { strict: false }), 'sized');
    try {
      expect([(await follow(api, 'GET', name)).status, (await follow(api, 'GET', name)).status]).toEqual([404, 404]);
      expect(tried).toHaveBeenCalledTimes(1);
    } finally {
      tried.mockRestore();
    }
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
    const { url } = await picture(await noise.jpeg({ quality: 60 }).toBuffer(), 'image/jpeg');
    const names = await Promise.all([1920, 1280, 960].map((width) => sizeAt(url, width)));
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
  const { url } = await picture(png(400, 10, chunk('tEXt', Buffer.from(PLACE))), 'image/png');
  expect((await bytesOf(url)).includes(PLACE)).toBe(false);
  expect(await sharp(await bytesOf(await sizeAt(url, 64))).metadata()).toMatchObject({ width: 64, height: 2 });
});
