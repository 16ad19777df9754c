import { withoutMetadata } from './image-metadata.policy.js';

const bytes = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part.replaceAll(' ', ''), 'hex') : part)));
const PLACE = Buffer.from('GPS 25.03 N 121.56 E');

function chunk(name: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return bytes(length, Buffer.from(name), content, '00000000');
}
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const HEADER = chunk('IHDR', Buffer.alloc(13, 1));
const [DATA, END] = [chunk('IDAT', Buffer.alloc(9, 2)), chunk('IEND')];

function segment(marker: string, content: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return bytes(`ff${marker}`, length, content);
}
/** Exif data with an orientation and the place. */
function exif(order: 'II' | 'MM', orientation: number): Buffer {
  const number = (value: number, size: 2 | 4): Buffer => {
    const written = Buffer.alloc(size);
    if (order === 'II') written.writeUIntLE(value, 0, size);
    else written.writeUIntBE(value, 0, size);
    return written;
  };
  const tiff = bytes(Buffer.from(order), number(42, 2), number(8, 4), number(1, 2));
  const entry = bytes(number(0x0112, 2), number(3, 2), number(1, 4), number(orientation, 2), number(0, 2));
  return segment('e1', bytes(Buffer.from('Exif\0\0'), tiff, entry, number(0, 4), PLACE));
}
const FRAME = segment('c0', Buffer.from('0800400040010111', 'hex'));
/** Two scans with a stuffed byte, a restart and the bytes of an end inside of a table. */
const SCANS = bytes(
  segment('da', Buffer.from('0101', 'hex')),
  '12ff0034ffd056',
  segment('c4', Buffer.from('ffd9', 'hex')),
  segment('da', Buffer.from('0102', 'hex')),
  '78',
);
const PROFILE = segment('e2', Buffer.from('ICC_PROFILE\0'));
const FORMAT = segment('e0', Buffer.from('JFIF\0'));
const UPRIGHT = bytes('ffd8', FORMAT, PROFILE, FRAME, SCANS, 'ffd9');

function webp(flags: string, ...chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const all = [['VP8X', bytes(flags, '000000 3f0000 3f0000')] as const, ...chunks].map(([name, content]) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return bytes(Buffer.from(name), length, content, Buffer.alloc(content.length % 2));
  });
  const content = bytes(Buffer.from('WEBP'), ...all);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return bytes(Buffer.from('RIFF'), length, content);
}
const PIXELS = ['VP8 ', Buffer.alloc(7, 3)] as const;

describe('An image without metadata', () => {
  it('keeps the chunks of a PNG that the pixels need, until its end', () => {
    const texts = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf', 'scRp'].map((name) => chunk(name, PLACE));
    const image = bytes(SIGNATURE, HEADER, ...texts, chunk('iCCP'), DATA, END, PLACE);
    expect(withoutMetadata('image/png', image)).toEqual(bytes(SIGNATURE, HEADER, chunk('iCCP'), DATA, END));
  });

  it('keeps the segments of a JPEG that the pixels need, until its end', () => {
    const [xmp, iptc, comment] = [segment('e1', PLACE), segment('ed', PLACE), segment('fe', PLACE)];
    const image = bytes('ffd8', FORMAT, exif('MM', 1), xmp, PROFILE, iptc, comment, FRAME, 'ff', SCANS, 'ffd9', PLACE);
    expect(withoutMetadata('image/jpeg', image)).toEqual(UPRIGHT);
  });

  it.each(['II', 'MM'] as const)('keeps the orientation of a JPEG with the byte order %s', (order) => {
    const cleaned = withoutMetadata('image/jpeg', bytes('ffd8', exif(order, 6), UPRIGHT.subarray(2)));
    const only = bytes('ffd8 ffe1 0022 457869660000 4d4d002a00000008 0001 011200030000000100060000 00000000');
    expect(cleaned).toEqual(bytes(only, UPRIGHT.subarray(2)));
    expect(withoutMetadata('image/jpeg', cleaned!)).toEqual(cleaned);
  });

  it.each([0, 9, 0xffff])('ignores the orientation %d', (orientation) => {
    expect(withoutMetadata('image/jpeg', bytes('ffd8', exif('II', orientation), UPRIGHT.subarray(2)))).toEqual(UPRIGHT);
  });

  it.each(['4578696600004d4d002a00000008', '4578696600004d4d002affffffff000100000000', '457869660000'])(
    'drops broken Exif data %s',
    (broken) => {
      const image = bytes('ffd8', segment('e1', Buffer.from(broken, 'hex')), UPRIGHT.subarray(2));
      expect(withoutMetadata('image/jpeg', image)).toEqual(UPRIGHT);
    },
  );

  it('keeps the chunks of a WebP that the pixels need, and its flags of animation and color', () => {
    const image = webp('3e', ['ICCP', PLACE], PIXELS, ['EXIF', PLACE], ['XMP ', PLACE]);
    expect(withoutMetadata('image/webp', bytes(image, PLACE))).toEqual(webp('32', ['ICCP', PLACE], PIXELS));
  });

  it('keeps the images of a GIF, their times and their repetition, until its end', () => {
    const gif = (...parts: readonly (string | Buffer)[]) =>
      bytes(Buffer.from('GIF89a'), '0100 0100 80 00 00 000000 ffffff', ...parts);
    const [control, loop] = ['21f904 00 0000 00 00', bytes('21ff0b', Buffer.from('NETSCAPE2.0'), '03 01 0000 00')];
    const image = (flags: string, colors = '') => `2c 0000 0000 0100 0100 ${flags} ${colors} 02 02 4401 00`;
    const [comment, text] = [bytes('21fe 14', PLACE, '00'), bytes('2101 0c', Buffer.alloc(12, 65), '14', PLACE, '00')];
    const xmp = bytes('21ff0b', Buffer.from('XMP DataXMP'), '14', PLACE, '00');
    const clean = [loop, control, image('00'), control, image('80', '000000 ffffff'), '3b'];
    const dirty = [loop, comment, xmp, control, image('00'), text, control, image('80', '000000 ffffff'), '3b', PLACE];
    expect(withoutMetadata('image/gif', gif(...dirty))).toEqual(gif(...clean));
    expect(withoutMetadata('image/gif', gif(...clean))).toEqual(gif(...clean));
    for (const broken of [
      clean.slice(0, -1),
      [loop, '00', '3b'],
      [image('00').slice(0, -3)],
      [bytes('21fe 14', PLACE)],
    ])
      expect(withoutMetadata('image/gif', gif(...broken))).toBeUndefined();
  });

  it.each([
    ['image/png', bytes(SIGNATURE, HEADER, DATA)],
    ['image/png', bytes(SIGNATURE, HEADER, END).subarray(0, -1)],
    ['image/jpeg', UPRIGHT.subarray(0, -2)],
    ['image/jpeg', UPRIGHT.subarray(0, 9)],
    ['image/jpeg', bytes('ffd8 ffda ffff')],
    ['image/jpeg', bytes('ffd8 ffc0 0000')],
    ['image/webp', webp('00', PIXELS).subarray(0, -1)],
    ['image/webp', bytes(Buffer.from('RIFF'), '0c000000', Buffer.from('WEBPVP8 '), 'ff000000')],
  ] as const)('refuses an unfinished file of the type %s', (type, image) => {
    expect(withoutMetadata(type, image)).toBeUndefined();
  });
});
