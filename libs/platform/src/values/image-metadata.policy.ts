/** Bytes from `start` to `end` of a file. */
type Part = readonly [start: number, end: number];

const tag = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4);

/** PNG 3rd edition §11: chunks that the pixels need. Others are texts, times, Exif data, or unknown to browsers. */
const PNG_PIXELS: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);

/** PNG 3rd edition §5.3: the signature, then chunks until IEND. */
function withoutPngMetadata(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const name = tag(bytes, at + 4);
    if (end > bytes.length) return undefined;
    if (PNG_PIXELS.has(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  return undefined;
}

/** Markers of GIF89a §23, §24 and §26, and of its extensions. */
const [GIF_EXTENSION, GIF_IMAGE, GIF_END] = [0x21, 0x2c, 0x3b];
const [GIF_CONTROL, GIF_APPLICATION] = [0xf9, 0xff];
/** The application that repeats an animation. */
const GIF_LOOP = 'NETSCAPE2.0';

/** Bytes of a table of colors, by the flags of its owner. */
const colorsOf = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** The end of a list of sub-blocks (GIF89a §15), each of which begins with its length. */
function endOfBlocks(bytes: Buffer, at: number): number {
  for (let next = at; next < bytes.length;) {
    const size = bytes[next] ?? 0;
    next += size + 1;
    if (size === 0) return next;
  }
  return Infinity;
}

/** GIF89a: a header, then images and extensions until the trailer. */
function withoutGifMetadata(bytes: Buffer): Buffer | undefined {
  const header = 13 + colorsOf(bytes[10] ?? 0);
  const kept: Buffer[] = [bytes.subarray(0, header)];
  for (let at = header; at < bytes.length;) {
    const marker = bytes[at];
    if (marker === GIF_END) return Buffer.concat([...kept, bytes.subarray(at, at + 1)]);
    if (marker !== GIF_IMAGE && marker !== GIF_EXTENSION) return undefined;
    const isImage = marker === GIF_IMAGE;
    const end = endOfBlocks(bytes, isImage ? at + 11 + colorsOf(bytes[at + 9] ?? 0) : at + 2);
    if (end > bytes.length) return undefined;
    const label = bytes[at + 1];
    const loops = label === GIF_APPLICATION && bytes.toString('latin1', at + 3, at + 14) === GIF_LOOP;
    if (isImage || label === GIF_CONTROL || loops) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}

/** Flags of metadata in a VP8X chunk. */
const WEBP_EXIF = 0x08;
const WEBP_XMP = 0x04;

/** RFC 9649 §2: chunks of even length in a RIFF file. */
function withoutWebpMetadata(bytes: Buffer): Buffer | undefined {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const kept: Buffer[] = [];
  for (let at = 12; at < end;) {
    if (at + 8 > end) return undefined;
    const [name, size] = [tag(bytes, at), bytes.readUInt32LE(at + 4)];
    const next = at + 8 + size + (size % 2);
    if (next > end) return undefined;
    if (name !== 'EXIF' && name !== 'XMP ') {
      const chunk = Buffer.from(bytes.subarray(at, next));
      if (name === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~(WEBP_EXIF | WEBP_XMP);
      kept.push(chunk);
    }
    at = next;
  }
  if (kept.length === 0) return undefined;
  const content = Buffer.concat(kept);
  const header = Buffer.from(bytes.subarray(0, 12));
  header.writeUInt32LE(content.length + 4, 4);
  return Buffer.concat([header, content]);
}

/** Markers of ITU-T T.81 §B.1. */
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
/** Application segments, but for the formats (APP0, APP14) and the color profile (APP2) that the pixels need. */
const isMetadata = (marker: number): boolean =>
  marker === COMMENT || (marker >= 0xe1 && marker <= 0xef && marker !== 0xe2 && marker !== 0xee);

/** The end of the entropy-coded data at `at`: the next marker that is no restart and no stuffed byte. */
function endOfScan(bytes: Buffer, at: number): number {
  for (let next = bytes.indexOf(0xff, at); next !== -1; next = bytes.indexOf(0xff, next + 1)) {
    const marker = bytes[next + 1] ?? 0;
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return next;
  }
  return bytes.length;
}

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ORIENTATION = 0x0112;

/** The orientation in an Exif segment (Exif 3.0 §4.6.2): the first directory of a TIFF file. 1 is the upright one. */
function orientationOf(segment: Buffer): number {
  const tiff = segment.subarray(10);
  if (!segment.subarray(4, 10).equals(EXIF) || tiff.length < 14) return 1;
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const read16 = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const count = read16(directory);
  for (let at = directory + 2; at + 12 <= tiff.length && at < directory + 2 + count * 12; at += 12) {
    const value = read16(at + 8);
    if (read16(at) === ORIENTATION) return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** An Exif segment with nothing but the orientation. */
function orientationSegment(orientation: number): Buffer {
  const segment = Buffer.from(
    'ffe10022457869660000 4d4d002a00000008 0001 0112 0003 00000001 0000 0000 00000000'.replaceAll(' ', ''),
    'hex',
  );
  segment.writeUInt16BE(orientation, 28);
  return segment;
}

/** The kept segments of a JPEG file until its end of image; undefined for a file without one. */
function jpegParts(bytes: Buffer): { readonly parts: readonly Part[]; readonly orientation: number } | undefined {
  const parts: Part[] = [];
  let orientation = 1;
  for (let at = 2; at + 2 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === END_OF_IMAGE) return { parts: [...parts, [at, at + 2]], orientation };
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (at + 4 > bytes.length) return undefined;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return undefined;
    if (marker === 0xe1) orientation = Math.max(orientation, orientationOf(bytes.subarray(at, end)));
    const next = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
    if (!isMetadata(marker)) parts.push([at, next]);
    at = next;
  }
  return undefined;
}

function withoutJpegMetadata(bytes: Buffer): Buffer | undefined {
  const found = jpegParts(bytes);
  if (found === undefined) return undefined;
  const { parts, orientation } = found;
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...(orientation === 1 ? [] : [orientationSegment(orientation)]),
    ...parts.map(([start, end]) => bytes.subarray(start, end)),
  ]);
}

const WITHOUT = {
  'image/png': withoutPngMetadata,
  'image/gif': withoutGifMetadata,
  'image/webp': withoutWebpMetadata,
  'image/jpeg': withoutJpegMetadata,
} as const satisfies Readonly<Record<string, (bytes: Buffer) => Buffer | undefined>>;

/** Types of images whose metadata can be removed. */
export type PhotoType = keyof typeof WITHOUT;

export function isPhotoType(type: string): type is PhotoType {
  return Object.hasOwn(WITHOUT, type);
}

/**
 * The image without what its pixels do not need: the place, time and camera of a photo, texts, and bytes after its end.
 * The orientation of a JPEG stays. Undefined for a file that ends before the image does.
 */
export function withoutMetadata(type: PhotoType, bytes: Buffer): Buffer | undefined {
  return WITHOUT[type](bytes);
}
