import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { ContentRefusal } from './content-refusal.js';
import { requireSafeZip } from './zip.js';

/** A file in a ZIP file. */
export interface PackedFile {
  /** Path in the ZIP file, with slashes. */
  readonly name: string;
  /** Unpacked size. */
  readonly bytes: number;
  /** Unpacks the file. @throws {ContentRefusal} if it unpacks to another size */
  read(): Promise<Buffer>;
}

/**
 * Lists the files in a ZIP file without unpacking them. Folders are left out.
 *
 * @throws {ContentRefusal} as `requireSafeZip` does
 */
export async function packedFiles(zip: Buffer): Promise<readonly PackedFile[]> {
  await requireSafeZip(zip.length, (start) => Promise.resolve(zip.subarray(start)));
  const opened = await fromBufferPromise(zip, { lazyEntries: true, strictFileNames: true });
  const files: PackedFile[] = [];
  for await (const entry of opened.eachEntry()) {
    const { fileName: name, uncompressedSize: bytes } = entry;
    if (!name.endsWith('/')) files.push({ name, bytes, read: () => unpacked(opened, entry) });
  }
  return files;
}

async function unpacked(zip: ZipFile, entry: Entry): Promise<Buffer> {
  try {
    const pieces = await (await zip.openReadStreamPromise(entry)).toArray();
    return Buffer.concat(pieces as Buffer[]);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it is damaged';
    throw new ContentRefusal('unsafe_zip', `The zip file is refused: ${entry.fileName}: ${why}`);
  }
}
