import type { FileStore } from '../stores/file-store.js';
import { ContentRefusal } from './content-refusal.js';
import { requireSafeSvg } from './svg.js';
import { requireSafeZip } from './zip.js';

/** First bytes of a file, from which every type is recognized. */
const SNIFFED_BYTES = 8 * 1024;

interface Kind {
  /** Types that the first bytes may show; undefined: the bytes are text. */
  readonly sniffed?: readonly string[];
  /** A directory entry that a zip file of the type has. */
  readonly entry?: string;
  /** Encodings of a text beside UTF-8. */
  readonly encodings?: readonly string[];
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const ZIP = 'application/zip';

/** How each content type that a site may store is recognized. */
const KINDS = {
  'image/png': { sniffed: ['image/png', 'image/apng'] },
  'image/jpeg': { sniffed: ['image/jpeg'] },
  'image/gif': { sniffed: ['image/gif'] },
  'image/webp': { sniffed: ['image/webp'] },
  'image/avif': { sniffed: ['image/avif'] },
  'image/x-icon': { sniffed: ['image/x-icon'] },
  'image/svg+xml': {},
  'application/pdf': { sniffed: ['application/pdf'] },
  'audio/mpeg': { sniffed: ['audio/mpeg'] },
  'video/mp4': { sniffed: ['video/mp4', 'video/x-m4v'] },
  'video/webm': { sniffed: ['video/webm', 'video/matroska'] },
  'application/zip': { sniffed: [ZIP] },
  [WORD]: { sniffed: [ZIP, WORD], entry: 'word/document.xml' },
  [SHEET]: { sniffed: [ZIP, SHEET], entry: 'xl/workbook.xml' },
  [SLIDES]: { sniffed: [ZIP, SLIDES], entry: 'ppt/presentation.xml' },
  'text/plain': {},
  // Spreadsheets in Taiwan save CSV in Big5.
  'text/csv': { encodings: ['big5'] },
  'application/x-ndjson': {},
} as const satisfies Readonly<Record<string, Kind>>;

/** A media type that a site may store. */
export type ContentType = keyof typeof KINDS;
/** All media types that a site may store. */
export const CONTENT_TYPES = Object.keys(KINDS) as readonly ContentType[];

/** Formats that are text themselves, and that programs run or render. */
const FORMATS_OF_TEXT: readonly string[] = [
  'application/pdf',
  'application/postscript',
  'application/eps',
  'application/rtf',
  'application/xml',
];

interface FileContent {
  readonly key: string;
  readonly bytes: number;
  readonly content_type: ContentType;
}

/**
 * Checks the content of a stored file of `bytes` bytes. Reads the first 8 KiB, an SVG as a whole, and the directory of
 * a ZIP file (APPNOTE 6.3.10).
 *
 * @throws {ContentRefusal} if the content is not of the type, or could harm its readers
 */
export async function requireContent(
  store: Pick<FileStore, 'read'>,
  { key, bytes, content_type }: FileContent,
): Promise<void> {
  const { sniffed, entry, encodings = [] }: Kind = KINDS[content_type];
  const read = async (start: number, end: number): Promise<Buffer> => {
    const pieces = await (await store.read(key, { start, end: Math.min(end, bytes) - 1 })).toArray();
    return Buffer.concat(pieces as Buffer[]);
  };
  const first = await read(0, SNIFFED_BYTES);
  // Loaded with the first file: 33 modules.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = (await fileTypeFromBuffer(first))?.mime;
  if (sniffed !== undefined && (found === undefined || !sniffed.includes(found)))
    mismatch(`The content is not of the type ${content_type}`);
  if (content_type === 'image/svg+xml') requireSafeSvg(await read(0, bytes));
  else if (sniffed === undefined) {
    const isText = ['utf-8', ...encodings].some((encoding) => isTextIn(encoding, first, bytes));
    if (!isText) mismatch(`The content is not text in ${['UTF-8', ...encodings].join(' or ')}`);
    if (first.includes(0) || (found !== undefined && !isWord(first, found))) mismatch('The content is not plain text');
  }
  if (sniffed?.includes(ZIP) !== true) return;
  const names = await requireSafeZip(bytes, (start) => read(start, bytes));
  if (entry !== undefined && !names.has(entry)) mismatch(`The file lacks ${entry}`);
}

/** A text can begin with the letters of another format: "BMI,email" with those of a bitmap. */
function isWord(first: Buffer, found: string): boolean {
  return !FORMATS_OF_TEXT.includes(found) && /^(?:\xef\xbb\xbf)?[ -~]{2}/.test(first.toString('latin1', 0, 8));
}

function isTextIn(encoding: string, first: Buffer, bytes: number): boolean {
  try {
    // The first bytes may end within a character.
    new TextDecoder(encoding, { fatal: true }).decode(first, { stream: first.length < bytes });
    return true;
  } catch {
    return false;
  }
}

function mismatch(detail: string): never {
  throw new ContentRefusal('type_mismatch', detail);
}
