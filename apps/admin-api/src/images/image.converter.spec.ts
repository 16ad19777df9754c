import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import sharp from 'sharp';
import { HEADER_BYTES, ImageConverter } from './image.converter.js';
import type { ConvertedImage } from './image.converter.js';
import { MAX_PIXELS } from './image.policy.js';
import type { DecodedType } from './image.policy.js';

Logger.overrideLogger(false);
const PIECE = 16 * 1024;
const SIDE = Math.sqrt(MAX_PIXELS['image/png']);
const FORMATS = ['png', 'jpeg', 'gif', 'webp', 'avif'] as const;
type Format = (typeof FORMATS)[number];
/** Encoders spend no time on small files. */
const QUICK = { png: {}, jpeg: {}, gif: { effort: 1 }, webp: { effort: 0 }, avif: { effort: 0 } } as const;
const typeOf = (format: Format): DecodedType => `image/${format}`;

/** A photo with as many colors as a camera makes. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  });

/** A file that counts the bytes that are read of it. */
function fileOf(content: Buffer) {
  const file = { bytes: 0, open: () => Promise.resolve(Readable.from(pieces(), { objectMode: false })) };
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < content.length; at += PIECE) {
      const piece = content.subarray(at, at + PIECE);
      file.bytes += piece.length;
      yield piece;
    }
  }
  return file;
}

const check = (format: Format, content: Buffer): Promise<void> =>
  new ImageConverter().requireReadable(typeOf(format), fileOf(content).open);

describe('the check of an image', () => {
  it.each(FORMATS)('reads and decodes the whole %s', async (format) => {
    const content = await noise(900, 400).toFormat(format, QUICK[format]).toBuffer();
    const file = fileOf(content);
    await new ImageConverter().requireReadable(typeOf(format), file.open);
    expect(file.bytes).toBe(content.length);
  });

  it.each(['png', 'jpeg'] as const)('reads no further than the header of a %s with too many pixels', async (format) => {
    const drawn = await sharp({ create: { width: SIDE + 1, height: SIDE, channels: 3, background: '#f00' } })
      .toFormat(format)
      .toBuffer();
    const file = fileOf(Buffer.concat([drawn, randomBytes(4 * 1024 * 1024)]));
    await expect(new ImageConverter().requireReadable(typeOf(format), file.open)).rejects.toMatchObject({
      reason: 'too_many_pixels',
    });
    // Streams read ahead.
    expect(file.bytes).toBeLessThan(HEADER_BYTES + 8 * PIECE);
  });

  it('accepts a header behind the first bytes', async () => {
    const jpeg = await noise(40, 40).jpeg().toBuffer();
    const comment = Buffer.concat([Buffer.from('fffef000', 'hex'), Buffer.alloc(0xf000 - 2)]);
    const behind = (content: Buffer): Buffer =>
      Buffer.concat([content.subarray(0, 2), ...Array<Buffer>(3).fill(comment), content.subarray(2)]);
    expect(3 * comment.length).toBeGreaterThan(HEADER_BYTES);
    await expect(check('jpeg', behind(jpeg))).resolves.toBeUndefined();
    const large = sharp({ create: { width: SIDE + 1, height: SIDE, channels: 3, background: '#f00' } });
    await expect(check('jpeg', behind(await large.jpeg().toBuffer()))).rejects.toMatchObject({
      reason: 'too_many_pixels',
    });
  });

  it.each(FORMATS)('refuses a %s that ends too early', async (format) => {
    const content = await noise(400, 400).toFormat(format, QUICK[format]).toBuffer();
    const ended = content.subarray(0, Math.floor(content.length * 0.6));
    await expect(check(format, ended)).rejects.toMatchObject({
      reason: expect.stringMatching(/^(?:damaged_image|type_mismatch)$/),
    });
  });

  it('refuses damaged pixels behind a valid header', async () => {
    const png = await noise(400, 400).png().toBuffer();
    const middle = Math.floor(png.length / 2);
    png.fill(0, middle, middle + 64);
    await expect(check('png', png)).rejects.toMatchObject({ reason: 'damaged_image' });
  });
});

describe('an image that is taller than a WebP can be', () => {
  const tall = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#f00' } });
  const sizeOf = async (converted: ConvertedImage | undefined): Promise<[number, number]> => {
    const { width, height } = await sharp(converted?.content).metadata();
    return [width, height];
  };

  it.each([
    [200, 20_000, 64, [64, 6_400]],
    [200, 20_000, 256, [164, 16_383]],
    [1, 100_000, 1920, [1, 16_383]],
  ] as const)('scales an image of %i × %i pixels to the width %i', async (width, height, wanted, size) => {
    const { open } = fileOf(await tall(width, height).png().toBuffer());
    expect(await sizeOf(await new ImageConverter().sized('image/png', open, wanted))).toEqual(size);
  });

  it('becomes a whole WebP of an AVIF', async () => {
    const { open } = fileOf(await tall(64, 16_384).avif(QUICK.avif).toBuffer());
    expect(await sizeOf(await new ImageConverter().whole('image/avif', open))).toEqual([64, 16_383]);
  });
});
