import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { RandomAccessReader, fromRandomAccessReaderPromise } from 'yauzl';
import type { Entry } from 'yauzl';
import { ContentRefusal } from './content-refusal.js';

/** Limits of ZIP files. Sizes are in bytes. */
export const ZIP_LIMITS = {
  entries: 5_000,
  /** Bytes of all entries together. */
  total: 512 * 1024 * 1024,
  /** Bytes of an entry for each of its packed bytes. */
  ratio: 200,
  /** An entry of fewer bytes may have any ratio. */
  anyRatio: 1024 * 1024,
  /** Bytes from the start of the directory to the end of the file. */
  directory: 2 * 1024 * 1024,
} as const;

/** Reads the bytes from `start` to the last one. */
export type ReadTail = (start: number) => Promise<Buffer>;

/** The end of a ZIP file, which contains its directory. */
class Tail extends RandomAccessReader {
  constructor(
    private readonly start: number,
    private readonly bytes: Buffer,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const stream = new PassThrough();
    if (start < this.start) stream.destroy(new Error('its directory is too long'));
    else stream.end(this.bytes.subarray(start - this.start, end - this.start));
    return stream;
  }
}

/**
 * Reads the directory at the end of the file, and unpacks nothing. Returns the names of the entries.
 *
 * @throws {ContentRefusal} for a file that is no zip file, unpacks to too much, or has entries that lead elsewhere
 */
export async function requireSafeZip(bytes: number, readTail: ReadTail): Promise<ReadonlySet<string>> {
  const start = Math.max(0, bytes - ZIP_LIMITS.directory);
  const tail = new Tail(start, await readTail(start));
  const names = new Set<string>();
  let total = 0;
  let packed = 0;
  try {
    const zip = await fromRandomAccessReaderPromise(tail, bytes, { lazyEntries: true, strictFileNames: true });
    if (zip.entryCount > ZIP_LIMITS.entries) refuse(`it has more than ${ZIP_LIMITS.entries} entries`);
    for await (const entry of zip.eachEntry()) {
      requireSafeEntry(entry);
      const name = entry.fileName.normalize('NFC').toLowerCase();
      if (names.has(name)) refuse(`${entry.fileName} occurs twice`);
      names.add(name);
      total += entry.uncompressedSize;
      packed += entry.compressedSize;
      if (total > ZIP_LIMITS.total) refuse(`it unpacks to more than ${ZIP_LIMITS.total} bytes`);
    }
  } catch (error) {
    if (error instanceof ContentRefusal) throw error;
    refuse(error instanceof Error ? error.message : 'it is no zip file');
  }
  // Entries that overlap share packed bytes.
  if (packed > bytes) refuse('its entries overlap');
  return names;
}

const SYMBOLIC_LINK = 0o120000;
const FILE_TYPE = 0o170000;

function requireSafeEntry({ fileName, uncompressedSize, compressedSize, ...entry }: Entry): void {
  if (/\p{Cc}/u.test(fileName)) refuse('a name has control characters');
  if ((entry.generalPurposeBitFlag & 1) !== 0) refuse(`${fileName} is encrypted`);
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK) refuse(`${fileName} is a symbolic link`);
  if (uncompressedSize > ZIP_LIMITS.anyRatio && uncompressedSize > compressedSize * ZIP_LIMITS.ratio)
    refuse(`${fileName} unpacks to more than ${ZIP_LIMITS.ratio} times its packed bytes`);
}

function refuse(detail: string): never {
  throw new ContentRefusal('unsafe_zip', `The zip file is refused: ${detail}`);
}
