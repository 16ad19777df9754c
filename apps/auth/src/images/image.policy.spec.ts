import { checkImage } from './image.policy.js';

const LIMITS = { bytes: 4096, side: 1024 };

const padded = (bytes: Buffer, length = 64): Buffer => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);

function png(width: number, height: number, length?: number): Buffer {
  const bytes = Buffer.alloc(24);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return padded(bytes, length);
}

/** An application segment, then a frame header. */
function jpeg(width: number, height: number, marker = 0xc2): Buffer {
  const frame = Buffer.from([0xff, marker, 0, 11, 8, 0, 0, 0, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return padded(Buffer.concat([Buffer.from('ffd8ffe00004abcd', 'hex'), frame]));
}

function webp(chunk: 'VP8X' | 'VP8L' | 'VP8 ', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write('RIFF', 0);
  bytes.write(`WEBP${chunk}`, 8);
  if (chunk === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (chunk === 'VP8L') bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  else {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  }
  return padded(bytes);
}

const { side, bytes: most } = LIMITS;
const check = (bytes: Buffer) => checkImage(bytes, LIMITS);

describe('The check of an image', () => {
  it.each([
    ['PNG', png(64, 32), 'image/png'],
    ['JPEG', jpeg(64, 32), 'image/jpeg'],
    ['extended WebP', webp('VP8X', 64, 32), 'image/webp'],
    ['lossless WebP', webp('VP8L', 64, 32), 'image/webp'],
    ['lossy WebP', webp('VP8 ', 64, 32), 'image/webp'],
  ])('recognizes %s by its content', (_name, bytes, type) => {
    expect(check(bytes)).toEqual({ type });
  });

  it.each([png, jpeg, (width: number, height: number) => webp('VP8X', width, height)])(
    'accepts sides up to the limit, and refuses larger ones',
    (image) => {
      expect([check(image(side, side)), check(image(side + 1, 1)), check(image(1, side + 1))]).toEqual([
        { type: expect.stringContaining('image/') },
        { fault: 'side' },
        { fault: 'side' },
      ]);
    },
  );

  it('refuses an empty PNG, and one above the limit of bytes', () => {
    expect([check(png(0, 10)), check(png(10, 0))]).toEqual([{ fault: 'type' }, { fault: 'type' }]);
    expect([check(png(1, 1, most)), check(png(1, 1, most + 1))]).toEqual([{ type: 'image/png' }, { fault: 'bytes' }]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['GIF', padded(Buffer.from('GIF89a'))],
    ['a PNG that ends after its signature', png(1, 1).subarray(0, 12)],
    ['a JPEG without a frame', padded(Buffer.from('ffd8ffe00004abcdffda', 'hex'))],
    ['a JPEG with a Huffman table in place of a frame', jpeg(10, 10, 0xc4)],
    ['a JPEG whose segment ends after the file', padded(Buffer.from('ffd8ffe0ffff', 'hex'))],
    ['a WebP of another kind', padded(Buffer.from('RIFF\0\0\0\0WEBPANIM'))],
  ])('refuses %s', (_name, bytes) => {
    expect(check(bytes)).toEqual({ fault: 'type' });
  });
});
