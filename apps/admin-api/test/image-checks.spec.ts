import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ApiError } from '@lyceum/errors';
import sharp from 'sharp';
import { FileStorage } from '#src/files/file.storage.js';
import { ImageConverter } from '#src/images/image.converter.js';
import { MAX_PIXELS } from '#src/images/image.policy.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { PNG_END, PNG_SIGNATURE, chunk, png, pngHeader } from './new-image.js';
import { picture, red, sizeAt, uploaded } from './new-picture.js';
import { arrived, complete, follow } from './new-upload.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

/** A PNG whose header is valid, and whose pixels are not. */
const BROKEN = Buffer.concat([PNG_SIGNATURE, pngHeader(400, 400), chunk('IDAT', Buffer.alloc(9, 2)), PNG_END]);
const TOO_SLOW = new ApiError('temporarily_unavailable', 'The image takes too long at this time', { retryAfter: 15 });
const converter = (): ImageConverter => api.service.app.get(ImageConverter, { strict: false });

/** Changes the bytes of a file in the store after its check. */
async function overwrite(id: string, content: Buffer): Promise<void> {
  const promised = { bytes: content.length, sha256: hash('sha256', content), content_type: 'image/png' };
  const { store } = api.service.app.get(FileStorage);
  await store.put(`files/${api.sites[0].site_id}/${id}`, Readable.from([content]), promised);
}

describe('an uploaded image', () => {
  const side = Math.sqrt(MAX_PIXELS['image/png']);

  it('accepts the limit of pixels, and rejects more before they are decoded', async () => {
    const largest = png(side, side);
    const before = process.memoryUsage().rss;
    // The pixels are missing, so a decoder would fail in another way.
    const header = (width: number, height: number) =>
      Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), chunk('IDAT'), PNG_END]);
    expect(await uploaded(api, largest, 'image/png')).toMatchObject({ state: 'ready' });
    for (const [width, height] of [
      [side + 1, side],
      [100_000, 100_000],
      [0x7fff_ffff, 0x7fff_ffff],
    ] as const) {
      const { id, state } = await uploaded(api, header(width, height), 'image/png');
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
    expect((await uploaded(api, await avif(0), 'image/avif')).state).toBe('ready');
    expect((await uploaded(api, await avif(1), 'image/avif')).state).toBe('rejected');
  });

  it('ends as rejected when its header cannot be read', async () => {
    const { id, state } = await uploaded(
      api,
      Buffer.concat([PNG_SIGNATURE, chunk('IHDR', Buffer.alloc(5))]),
      'image/png',
    );
    expect(state).toBe('rejected');
    expect((await api.send('GET', `/api/v1/uploads/${id}`)).body).toMatchObject({ rejection: 'type_mismatch' });
  });

  it('ends as rejected when its pixels cannot be decoded', async () => {
    const { id, state } = await uploaded(api, BROKEN, 'image/png');
    expect(state).toBe('rejected');
    expect((await api.send('GET', `/api/v1/uploads/${id}`)).body).toMatchObject({ rejection: 'damaged_image' });
  });

  it('accepts another completion when its check took too long', async () => {
    const upload = await arrived(api, await red('png'), {
      purpose: 'image',
      filename: 'a.png',
      content_type: 'image/png',
    });
    const slow = jest.spyOn(converter(), 'requireReadable').mockRejectedValueOnce(TOO_SLOW);
    try {
      const { status, headers, body } = await complete(api, upload);
      expect([status, body['code'], headers['retry-after']]).toEqual([503, 'temporarily_unavailable', '15']);
    } finally {
      slow.mockRestore();
    }
    expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  });

  it('does not appear when a store has damaged its pixels, and costs one attempt', async () => {
    const { id, url } = await picture(api, await red('png'), 'image/png');
    await overwrite(id, BROKEN);
    const name = await sizeAt(api, url, 64);
    const tried = jest.spyOn(converter(), 'sized');
    try {
      expect([(await follow(api, 'GET', name)).status, (await follow(api, 'GET', name)).status]).toEqual([404, 404]);
      expect(tried).toHaveBeenCalledTimes(1);
    } finally {
      tried.mockRestore();
    }
  });

  it('appears later when its conversion took too long once', async () => {
    const { url } = await picture(api, await red('png'), 'image/png');
    const name = await sizeAt(api, url, 64);
    const slow = jest.spyOn(converter(), 'sized').mockRejectedValueOnce(TOO_SLOW);
    try {
      const { status, headers } = await follow(api, 'GET', name);
      expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '15', 'no-store']);
      expect((await follow(api, 'GET', name)).status).toBe(200);
      expect(slow).toHaveBeenCalledTimes(2);
    } finally {
      slow.mockRestore();
    }
  });
});
