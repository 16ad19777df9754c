import type { Readable } from 'node:stream';

/** The only file that an upload may contain. */
export interface PromisedFile {
  /** Exact size in bytes. */
  readonly bytes: number;
  readonly content_type: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
}

/** A file that consists of others. */
export interface JoinedFile {
  readonly key: string;
  readonly content_type: string;
}

/** The period in which a link is valid. Equal claims give equal links. */
interface Period {
  readonly from: Date;
  readonly until: Date;
}

interface Link extends Period {
  readonly key: string;
  /** Origin of the site. Links of a local store lead there. */
  readonly base_url: string;
}

export type UploadLink = Link & PromisedFile;

export interface DownloadLink extends Link {
  readonly filename: string;
  readonly content_type: string;
}

/** A PUT request that the client sends unchanged. */
export interface SignedUpload {
  readonly url: string;
  /** Required headers. HTTP clients add `Content-Length`, which is signed as well. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface StoredFile {
  readonly bytes: number;
  /** SHA-256 in lower-case hexadecimal. Undefined if the store has none. */
  readonly sha256?: string | undefined;
}

export interface ListedFile {
  readonly key: string;
  readonly modified_at: Date;
}

/** Offsets of the first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Stores files by key. Keys consist of lower-case words and ids: see `requireKey`. A bucket rejects with
 * `StoreUnavailable` while it does not respond as S3 does.
 */
export interface FileStore {
  /** Signs a link by which a client uploads exactly this file. */
  presignPut(link: UploadLink): Promise<SignedUpload>;
  /** Signs a link by which a client downloads the file with this name and type. */
  presignGet(link: DownloadLink): Promise<string>;
  /** Returns size and hash; undefined if the file does not exist. */
  head(key: string): Promise<StoredFile | undefined>;
  /** Streams the file, or a range of its bytes. A missing file is an error of the call or of the stream. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Stores a file of the platform itself. Rejects bytes that are not the promised ones, and then stores nothing. */
  put(key: string, body: Readable, file: PromisedFile): Promise<void>;
  /** Stores a file of the contents of these files, in their order. The signal ends the work between two of them. */
  concat(keys: readonly string[], to: JoinedFile, signal: AbortSignal): Promise<void>;
  /** Renames a file. Replaces a file that has the second key. */
  move(from: string, to: string): Promise<void>;
  /** Deletes a file. Does nothing if it does not exist. */
  delete(key: string): Promise<void>;
  /** Deletes files that arrived in part, of which no byte has come since. Undefined: the store itself does so. */
  discardIncomplete?(since: Date): Promise<void>;
  /** Lists all files whose keys start with the prefix, in no guaranteed order. */
  list(prefix: string): AsyncIterable<ListedFile>;
}
