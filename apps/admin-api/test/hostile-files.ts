import { deflateSync } from 'node:zlib';
import { zipFile } from '@lyceum/testing';
import sharp from 'sharp';
import { GIF, PNG_END, PNG_SIGNATURE, chunk, png, pngHeader } from './new-image.js';

/** Each payload has this text. No response may have it. */
export const MARKER = 'payload-7f3a91';

/** The expected end of a file: `harmless` may become ready, but no response has its payload. */
type Fate = 'refused' | 'rejected' | 'harmless';

export interface HostileFile {
  readonly what: string;
  readonly announced: { readonly purpose: string; readonly filename: string; readonly content_type: string };
  readonly content: Buffer;
  readonly fate: Fate;
}

/** Returns an integer from 0 to `below - 1`. */
type Random = (below: number) => number;
type Format = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif';
type Images = Readonly<Record<Format, Buffer>>;
type Kind = (random: Random, images: Images) => HostileFile;

const MIB = 1024 * 1024;
const FORMATS: readonly Format[] = ['png', 'jpeg', 'gif', 'webp', 'avif'];
const [WORD, ZIP] = ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/zip'];

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T;
const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const size32 = (value: number, order: 'BE' | 'LE' = 'BE'): Buffer => {
  const bytes = Buffer.alloc(4);
  if (order === 'BE') bytes.writeUInt32BE(value);
  else bytes.writeUInt32LE(value);
  return bytes;
};

const image = (format: Format, content: Buffer, fate: Fate, what: string): HostileFile => ({
  what: `${what} ${format}`,
  announced: { purpose: 'image', filename: `a.${format}`, content_type: `image/${format}` },
  content,
  fate,
});

const PAYLOADS = [
  `<script>alert("${MARKER}")</script>`,
  `<!doctype html><html><body onload=alert("${MARKER}")>`,
  `<?php echo "${MARKER}"; ?>`,
  `*/=1;alert("${MARKER}")//`,
  `#!/bin/sh\necho ${MARKER}\n`,
  `MZ\x90\0${MARKER}`,
  `\x7fELF${MARKER}`,
  `PK\x03\x04${MARKER}`,
];
const payload = (random: Random): Buffer => text(`${pick(random, PAYLOADS)}${' '.repeat(random(60))}`);

const NAMES = [
  `../${MARKER}.csv`,
  `..\\${MARKER}.csv`,
  `/etc/${MARKER}.csv`,
  `C:\\${MARKER}.csv`,
  `a/../../${MARKER}.csv`,
  '..',
  '.',
  `a\0${MARKER}.csv`,
  `a\r\nset-cookie: ${MARKER}.csv`,
  `\u202evsc.${MARKER}.exe`,
  `a\u2066${MARKER}\u2069.csv`,
  `a\u200b${MARKER}.csv`,
  `a\ufeff${MARKER}.csv`,
  `a\u2028${MARKER}.csv`,
  `\ud800${MARKER}.csv`,
  ` ${MARKER}.csv`,
  `${MARKER}.csv.`,
  `${MARKER}.csv `,
  'CON',
  'nul.csv',
  'LPT9.csv',
  `${'é'.repeat(128)}`,
  'x'.repeat(201),
];

/** Refused by its name, before a byte arrives. */
const named: Kind = (random) => {
  const filename = pick(random, NAMES);
  return {
    what: `name ${JSON.stringify(filename).slice(0, 40)}`,
    announced: { purpose: 'import', filename, content_type: 'text/csv' },
    content: text(`email,name\n${'x'.repeat(random(9))}@example.com,Mei\n`),
    fate: 'refused',
  };
};

const MAGIC = ['video/mp4', 'video/webm', 'audio/mpeg', ZIP, WORD, ...FORMATS.map((format) => `image/${format}`)];
/** Content of another type. */
const wrongMagic: Kind = (random) => {
  const content_type = pick(random, MAGIC);
  const purpose = content_type.startsWith('image/') ? 'image' : 'attachment';
  const content = payload(random);
  return {
    what: `wrong magic of ${content_type}`,
    announced: { purpose, filename: 'a.bin', content_type },
    content,
    fate: 'rejected',
  };
};
const binaryText: Kind = (random) => ({
  what: 'binary as text',
  announced: { purpose: 'import', filename: 'a.csv', content_type: 'text/csv' },
  content: Buffer.concat([text('email,name\n'), Buffer.from([0, 0xff, random(256), 0]), payload(random)]),
  fate: 'rejected',
});

/** Metadata with the payload. */
const METADATA: Readonly<Record<Format, (base: Buffer, content: Buffer, random: Random) => Buffer>> = {
  png: (_base, content, random) =>
    png(9, 9, chunk(pick(random, ['tEXt', 'iTXt', 'eXIf', 'scRp', 'juNk']), Buffer.concat([text('a\0'), content]))),
  jpeg: (base, content, random) => {
    const head = Buffer.from([0xff, pick(random, [0xfe, 0xe1, 0xed, 0xef]), 0, content.length + 2]);
    return Buffer.concat([base.subarray(0, 2), head, content, base.subarray(2)]);
  },
  gif: (base, content, random) => {
    const head = pick(random, [text('!\xfe'), text('!\xff\x0bXMP DataXMP')]);
    return Buffer.concat([
      base.subarray(0, 13),
      head,
      Buffer.from([content.length]),
      content,
      text('\0'),
      base.subarray(13),
    ]);
  },
  webp: (base, content, random) => {
    const padded = content.length % 2 === 0 ? content : Buffer.concat([content, text(' ')]);
    const more = Buffer.concat([text(pick(random, ['EXIF', 'XMP '])), size32(padded.length, 'LE'), padded]);
    const body = Buffer.concat([base.subarray(8), more]);
    return Buffer.concat([text('RIFF'), size32(body.length, 'LE'), body]);
  },
  avif: (base, content) => Buffer.concat([base, size32(content.length + 8), text('free'), content]),
};
/** A file that is an image and something else. */
const polyglot: Kind = (random, images) => {
  const [format, content] = [pick(random, FORMATS), payload(random)];
  const base = images[format];
  const place = pick(random, ['before', 'after', 'within'] as const);
  if (place === 'before') return image(format, Buffer.concat([content, base]), 'rejected', 'polyglot before');
  if (place === 'after') return image(format, Buffer.concat([base, content]), 'harmless', 'polyglot after');
  return image(format, METADATA[format](base, content, random), 'harmless', 'polyglot within');
};
const scriptWithHeader: Kind = (random) => {
  const script = `GIF89a/*${'x'.repeat(random(40))}*/=1;alert("${MARKER}")`;
  return image('gif', text(script), 'harmless', 'script with the header of a');
};

/** A few bytes that claim more pixels than a service can decode. */
const huge: Kind = (random, images) => {
  const [width, height] = [6_000 + random(59_000), 6_000 + random(59_000)];
  const format = pick(random, ['png', 'jpeg', 'gif', 'webp'] as const);
  if (format === 'png') {
    const content = Buffer.concat([
      PNG_SIGNATURE,
      pngHeader(width, height),
      chunk('IDAT', deflateSync(text('a'))),
      PNG_END,
    ]);
    return image(format, content, 'rejected', 'huge');
  }
  const content = Buffer.from(images[format]);
  if (format === 'gif')
    for (const at of [6, 18]) {
      content.writeUInt16LE(width, at);
      content.writeUInt16LE(height, at + 2);
    }
  if (format === 'jpeg') {
    const frame = Math.max(content.indexOf(Buffer.from('ffc0', 'hex')), content.indexOf(Buffer.from('ffc2', 'hex')));
    content.writeUInt16BE(height, frame + 5);
    content.writeUInt16BE(width, frame + 7);
  }
  if (format !== 'webp') return image(format, content, 'rejected', 'huge');
  const canvas = Buffer.alloc(10);
  canvas.writeUIntLE(15_000, 4, 3);
  canvas.writeUIntLE(9_000 + random(6_000), 7, 3);
  const body = Buffer.concat([text('WEBPVP8X'), size32(10, 'LE'), canvas, content.subarray(12)]);
  return image(format, Buffer.concat([text('RIFF'), size32(body.length, 'LE'), body]), 'rejected', 'huge');
};

const ZEROS = deflateSync(Buffer.alloc(64 * MIB));
/** A small PNG with 64 MiB of zeros in its pixels, a text or a color profile. */
const bomb: Kind = (random) => {
  const name = pick(random, ['IDAT', 'zTXt', 'iCCP']);
  const content = name === 'IDAT' ? ZEROS : Buffer.concat([text('a\0\0'), ZEROS]);
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(10 * 9)));
  const parts = name === 'IDAT' ? [chunk('IDAT', content)] : [chunk(name, content), pixels];
  const file = Buffer.concat([PNG_SIGNATURE, pngHeader(9, 9), ...parts, PNG_END]);
  return image('png', file, 'harmless', `bomb in ${name} of a`);
};

const index = { name: 'index.html', content: text(`<script>${MARKER}</script>`) };
const ZIPS: readonly ((name: string) => Buffer)[] = [
  (name) => zipFile([index, { name: `../${name}`, content: text(MARKER) }]),
  (name) => zipFile([index, { name: `/${name}`, content: text(MARKER) }]),
  (name) => zipFile([index, { name: `C:/${name}`, content: text(MARKER) }]),
  (name) => zipFile([index, { name: `a\\..\\${name}`, content: text(MARKER) }]),
  (name) => zipFile([index, { name: `${name}\0.html`, content: text(MARKER) }]),
  (name) => zipFile([index, { name, content: text('/etc/passwd'), claims: { mode: 0o120777 } }]),
  (name) => zipFile([index, { name, content: text(MARKER), claims: { flags: 1 } }]),
  (name) => zipFile([index, { name, content: Buffer.alloc(4 * MIB) }]),
  (name) => zipFile([index, { name, claims: { bytes: 0xffff_fff0 } }]),
  (name) => zipFile([index, { name, claims: { packed: 100_000, bytes: 100_000 } }]),
  (name) => zipFile([index, { name }, { name: name.toUpperCase() }]),
  (name) => text(`PK\x03\x04${name}${MARKER}`),
];
const zip: Kind = (random) => ({
  what: 'zip',
  announced: { purpose: pick(random, ['page_bundle', 'attachment']), filename: 'a.zip', content_type: ZIP },
  content: pick(random, ZIPS)(`x${random(1_000)}.html`),
  fate: 'rejected',
});
/** Zip files in zip files down to a bomb. The service unpacks none of them. */
const nested: Kind = (random) => {
  let content = zipFile([{ name: 'zeros', content: Buffer.alloc(MIB) }]);
  for (let depth = random(6); depth >= 0; depth -= 1)
    content = zipFile([index, ...Array.from({ length: 4 }, (_, at) => ({ name: `${at}.zip`, content }))]);
  const announced = { purpose: 'attachment', filename: 'a.zip', content_type: ZIP };
  return { what: 'nested zip', announced, content, fate: 'harmless' };
};
const office: Kind = (random) => ({
  what: 'zip as a document',
  announced: { purpose: 'attachment', filename: 'a.docx', content_type: WORD },
  content: zipFile([{ name: `word/macro${random(99)}.bin`, content: payload(random) }]),
  fate: 'rejected',
});

const SVG_PARTS = [
  `<script>${MARKER}</script>`,
  `<SCRIPT>${MARKER}</SCRIPT>`,
  `<x:script xmlns:x="http://www.w3.org/2000/svg">${MARKER}</x:script>`,
  `<script href="https://evil.example/${MARKER}.js"/>`,
  `<g onload="${MARKER}"/>`,
  `<a href="javascript:${MARKER}"/>`,
  `<a href="java&#115;cript:${MARKER}"/>`,
  `<a href="&#9;javascript:${MARKER}"/>`,
  `<use href="data:image/svg+xml;base64,${Buffer.from(MARKER).toString('base64')}"/>`,
  `<image href="https://evil.example/${MARKER}.png"/>`,
  `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${MARKER}</body></foreignObject>`,
  `<set attributeName="href" to="javascript:${MARKER}"/>`,
  `<animate attributeName="onclick" values="${MARKER}"/>`,
  `<style>@import "https://evil.example/${MARKER}.css";</style>`,
  `<style>a{background:\\75rl(https://evil.example/${MARKER})}</style>`,
  `<rect fill="url(https://evil.example/${MARKER})"/>`,
  `<iframe src="https://evil.example/${MARKER}"/>`,
  `<${MARKER}`,
  '&unknown;',
];
const SVG_HEADS = ['', '<!-- drawn by hand -->', '<?xml version="1.0"?>'];
const SVG_REFUSED = ['<!DOCTYPE svg [<!ENTITY a "b">]>', '<?xml-stylesheet href="a.css"?>'];
const svg: Kind = (random) => {
  const head = random(8) === 0 ? pick(random, SVG_REFUSED) : pick(random, SVG_HEADS);
  const part = `${'<g>'.repeat(random(9))}${pick(random, SVG_PARTS)}`;
  const depth = part.split('<g>').length - 1;
  const drawing = `${head}<svg xmlns="http://www.w3.org/2000/svg">${part}${'</g>'.repeat(depth)}</svg>`;
  return {
    what: `svg ${part.replaceAll('<g>', '').slice(0, 30)}`,
    announced: { purpose: pick(random, ['image', 'logo']), filename: 'a.svg', content_type: 'image/svg+xml' },
    content: text(drawing),
    fate: 'rejected',
  };
};

const KINDS: readonly Kind[] = [named, wrongMagic, polyglot, huge, svg, zip, polyglot, nested, scriptWithHeader, bomb];
const RARE: readonly Kind[] = [binaryText, office];

/** A generator of integers from a seed (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Files of a seed: each kind in turn. */
export async function hostileFiles(seed: number, count: number): Promise<readonly HostileFile[]> {
  const random = randomOf(seed);
  const drawn = (format: 'jpeg' | 'webp' | 'avif') =>
    sharp({ create: { width: 40, height: 20, channels: 3, background: '#f00' } })
      .toFormat(format)
      .toBuffer();
  const [jpeg, webp, avif] = await Promise.all([drawn('jpeg'), drawn('webp'), drawn('avif')]);
  const images = { png: png(9, 9), gif: text(GIF), jpeg, webp, avif };
  const kinds = [...KINDS, ...RARE];
  return Array.from({ length: count }, (_, at) => (kinds[at % kinds.length] ?? named)(random, images));
}
