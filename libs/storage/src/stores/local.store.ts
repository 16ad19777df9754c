import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { SecretKeys } from '@lyceum/platform';
import { ArrivingBody } from './arriving-body.js';
import { isKey, requireKey } from './file-key.js';
import type {
  ByteRange,
  DownloadLink,
  FileStore,
  JoinedFile,
  ListedFile,
  PromisedFile,
  SignedUpload,
  StoredFile,
  UploadLink,
} from './file-store.js';
import { LocalLinks } from './local-link.js';
import { PacedQueue } from './paced-queue.js';
import { PromisedBytes } from './promised-bytes.js';
import { release } from './release.js';

/** Directory of incomplete files. Keys have no dots, so it is no key. */
const INCOMING = '.incoming';

/** Pieces of a read file. The heap of buffers grows with the size of those that wait for a collection. */
const BYTES_OF_READ = 16 * 1024;
const BYTES_OF_COPY = 256 * 1024;

/** All files that arrive at one time share it, so that their bytes delay no other request. */
const ARRIVALS = new PacedQueue({ share: 0.3, longestRest: 5 });

interface ArrivingFile extends PromisedFile {
  readonly body: Readable;
  /** Runs with each piece that is in the file. */
  readonly written: (piece: Buffer) => void;
}

/** Stores files in a local directory, which all replicas share. A file appears under its key once it is complete. */
export class LocalFileStore implements FileStore {
  readonly links: LocalLinks;

  constructor(
    private readonly directory: string,
    keys: SecretKeys,
  ) {
    this.links = new LocalLinks(keys);
  }

  async presignPut(link: UploadLink): Promise<SignedUpload> {
    return { url: this.links.put(link), headers: { 'content-type': link.content_type } };
  }

  async presignGet(link: DownloadLink): Promise<string> {
    return this.links.get(link);
  }

  async head(key: string): Promise<StoredFile | undefined> {
    const found = await stat(this.#path(key)).catch(missing);
    return found && { bytes: found.size };
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    return createReadStream(this.#path(key), { ...range, highWaterMark: BYTES_OF_READ });
  }

  /** @throws {WrongBytes} if the bytes are not the promised ones; then nothing is stored */
  put(key: string, body: Readable, file: PromisedFile): Promise<void> {
    return this.#arrive(key, { ...file, body, written: () => undefined });
  }

  /**
   * Stores the body of a request, whose pieces nothing else uses: the memory of a piece is free once it is written.
   *
   * @throws {WrongBytes} as `put`
   */
  receive(key: string, body: IncomingMessage, file: PromisedFile): Promise<void> {
    return this.#arrive(key, { ...file, body, written: release });
  }

  async #arrive(key: string, file: ArrivingFile): Promise<void> {
    const arriving = join(this.directory, INCOMING, randomUUID());
    const body = new ArrivingBody(file.body);
    try {
      requireKey(key);
      await mkdir(dirname(arriving), { recursive: true, mode: 0o700 });
      await opened(arriving, 'wx', (target) => writePieces(target, body, file));
      await this.#place(arriving, key);
    } catch (error) {
      body.cancel();
      await rm(arriving, { force: true });
      throw error;
    }
  }

  async concat(keys: readonly string[], { key }: JoinedFile, signal: AbortSignal): Promise<void> {
    const arriving = join(this.directory, INCOMING, randomUUID());
    await mkdir(dirname(arriving), { recursive: true, mode: 0o700 });
    try {
      requireKey(key);
      const paths = keys.map((one) => this.#path(one));
      await opened(arriving, 'wx', (target) => appendAll(target, paths, signal));
      await this.#place(arriving, key);
    } catch (error) {
      await rm(arriving, { force: true });
      throw error;
    }
  }

  async move(from: string, to: string): Promise<void> {
    await this.#place(this.#path(from), to);
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  /** Deletes incomplete files that a killed replica has left. */
  async discardIncomplete(since: Date): Promise<void> {
    const entries = await opendir(join(this.directory, INCOMING)).catch(missing);
    if (entries === undefined) return;
    for await (const { name } of entries) {
      const path = join(this.directory, INCOMING, name);
      const found = await stat(path).catch(missing);
      if (found !== undefined && found.mtime < since) await rm(path, { force: true });
    }
  }

  async *list(prefix: string): AsyncIterable<ListedFile> {
    const top = join(this.directory, prefix);
    const entries = await opendir(top, { recursive: true }).catch(missing);
    if (entries === undefined) return;
    for await (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const key = relative(this.directory, path).replaceAll(sep, '/');
      const found = isKey(key) ? await stat(path).catch(missing) : undefined;
      if (found !== undefined) yield { key, modified_at: found.mtime };
    }
  }

  async #place(path: string, key: string): Promise<void> {
    const target = this.#path(key);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
  }

  #path(key: string): string {
    return join(this.directory, requireKey(key));
  }
}

async function opened<T>(path: string, flags: 'r' | 'wx', work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/**
 * Writes pieces as they arrive. Only one piece of all files is hashed and written at one time; the others wait in their
 * connections.
 *
 * @throws {WrongBytes}
 */
async function writePieces(target: FileHandle, body: ArrivingBody, { written, ...promised }: ArrivingFile) {
  const bytes = new PromisedBytes(promised);
  while (await body.hasMore())
    await ARRIVALS.run(async () => {
      const piece = body.take();
      bytes.count(piece);
      bytes.hash(piece);
      await target.appendFile(piece);
      written(piece);
    });
  bytes.end();
  await target.sync();
}

/** Appends files by one buffer: buffers that wait for a collection would be most of the memory of a join. */
async function appendAll(target: FileHandle, paths: readonly string[], signal: AbortSignal): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(BYTES_OF_COPY);
  for (const path of paths) {
    signal.throwIfAborted();
    await opened(path, 'r', async (source) => {
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length);
        if (bytesRead === 0) return;
        await target.appendFile(buffer.subarray(0, bytesRead));
      }
    });
  }
  await target.sync();
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
