import { withoutMetadata } from '@lyceum/platform';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

/** An image as it is stored and served. */
export interface StoredImage {
  readonly type: ImageType;
  readonly bytes: Buffer;
}

export interface ImageLimits {
  readonly bytes: number;
  /** Pixels of each side: a small file can decode to a huge image. */
  readonly side: number;
}

/** `bytes`: the file is too large. `type`: another format, also SVG, which has scripts. `side`: too many pixels. */
export type ImageFault = 'bytes' | 'type' | 'side';

interface Size {
  readonly width: number;
  readonly height: number;
}

const startsWith = (bytes: Buffer, at: number, ...expected: readonly number[]): boolean =>
  expected.every((byte, index) => bytes[at + index] === byte);
const text = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4);

/** PNG 3rd edition §5.2 and §11.2.1: the signature, then IHDR. */
function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || text(bytes, 12) !== 'IHDR') return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** ITU-T T.81 §B.2: the first frame header (SOF), after segments with a length each. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}

/** RFC 9649 §2: the extended, the lossless and the lossy format. */
function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined;
  switch (text(bytes, 12)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

function imageOf(bytes: Buffer): { readonly type: ImageType; readonly size: Size | undefined } | undefined {
  if (startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))
    return { type: 'image/png', size: sizeOfPng(bytes) };
  if (startsWith(bytes, 0, 0xff, 0xd8, 0xff)) return { type: 'image/jpeg', size: sizeOfJpeg(bytes) };
  if (text(bytes, 0) === 'RIFF' && text(bytes, 8) === 'WEBP') return { type: 'image/webp', size: sizeOfWebp(bytes) };
  return undefined;
}

/** The type of an image by its content, or the limit that it exceeds. */
export function checkImage(
  bytes: Buffer,
  limits: ImageLimits,
): { readonly type: ImageType } | { readonly fault: ImageFault } {
  if (bytes.length > limits.bytes) return { fault: 'bytes' };
  const image = imageOf(bytes);
  if (image?.size === undefined) return { fault: 'type' };
  const { width, height } = image.size;
  if (width === 0 || height === 0) return { fault: 'type' };
  return Math.max(width, height) > limits.side ? { fault: 'side' } : { type: image.type };
}

/** The image as it is stored, without metadata, or the reason why it is refused. */
export function acceptImage(bytes: Buffer, limits: ImageLimits): StoredImage | { readonly fault: ImageFault } {
  const checked = checkImage(bytes, limits);
  if ('fault' in checked) return checked;
  const { type } = checked;
  const cleaned = withoutMetadata(type, bytes);
  return cleaned === undefined ? { fault: 'type' } : { type, bytes: cleaned };
}
