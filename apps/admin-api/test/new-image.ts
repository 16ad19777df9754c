import { crc32, deflateSync } from 'node:zlib';

/** A GIF of one pixel, all of whose bytes are ASCII. */
export const GIF = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;';

/** A chunk of a PNG with its checksum. */
export function chunk(name: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const checked = Buffer.concat([Buffer.from(name), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, checksum]);
}

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
export const PNG_END = chunk('IEND');

/** The header of a gray PNG. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return chunk('IHDR', header);
}

/** A gray PNG with chunks of metadata before its pixels. */
export function png(width: number, height: number, ...metadata: readonly Buffer[]): Buffer {
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height)));
  return Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), ...metadata, pixels, PNG_END]);
}
