import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AwsClient, AwsV4Signer } from 'aws4fetch';
import { contentDisposition } from '../names/content-disposition.js';
import { requireKey } from './file-key.js';
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
import { listedPage } from './s3-list.js';
import { StoreWait } from './store-wait.js';

export interface S3Settings {
  /** Origin without a path, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const TIMEOUT_MS = 10_000;
/** Time for all bytes of a file. The time of the reader of a file does not count. */
const TRANSFER_TIMEOUT_MS = 120_000;
const CHECKSUM = 'x-amz-checksum-sha256';
/** How the XML of a successful copy begins. */
const COPIED = /^\s*(?:<\?xml[^>]*>\s*)?<CopyObjectResult[\s/>]/;

/** Thrown when the store does not respond, or responds with an unexpected status. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  /** Default: ends after `TIMEOUT_MS`. */
  readonly signal?: AbortSignal;
}

/**
 * Stores files in a bucket with path-style URLs, which every S3-compatible store supports (AWS Signature Version 4).
 */
export class S3FileStore implements FileStore {
  readonly #client: AwsClient;

  constructor(
    private readonly settings: S3Settings,
    private readonly transferTimeout = TRANSFER_TIMEOUT_MS,
  ) {
    const { accessKeyId, secretAccessKey, region } = settings;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
  }

  /** Signs length, type and SHA-256 as headers, so the bucket refuses other files. */
  async presignPut(link: UploadLink): Promise<SignedUpload> {
    const headers = { 'content-type': link.content_type, [CHECKSUM]: base64(link.sha256) };
    const url = await this.#presign('PUT', link, { headers: { ...headers, 'content-length': String(link.bytes) } });
    return { url, headers };
  }

  presignGet(link: DownloadLink): Promise<string> {
    const query = {
      'response-content-disposition': contentDisposition(link.filename, link.content_type),
      'response-content-type': link.content_type,
    };
    return this.#presign('GET', link, { query });
  }

  async head(key: string): Promise<StoredFile | undefined> {
    const response = await this.#send('HEAD', key, { headers: { 'x-amz-checksum-mode': 'ENABLED' } });
    if (response.status === 404) return undefined;
    const checksum = expectOk(response).headers.get(CHECKSUM);
    return {
      bytes: Number(response.headers.get('content-length')),
      sha256: checksum === null ? undefined : Buffer.from(checksum, 'base64').toString('hex'),
    };
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const headers = range && { headers: { range: `bytes=${range.start}-${range.end}` } };
    const wait = new StoreWait(this.transferTimeout);
    const { body } = expectOk(await wait.for(this.#send('GET', key, { ...headers, signal: wait.signal })));
    if (body === null) throw new StoreUnavailable('The store sent no body');
    return Readable.from(piecesOf(body, wait), { objectMode: false });
  }

  async put(key: string, body: Readable, { bytes, content_type, sha256 }: PromisedFile): Promise<void> {
    const headers = { 'content-type': content_type, 'content-length': String(bytes), [CHECKSUM]: base64(sha256) };
    const signal = AbortSignal.timeout(this.transferTimeout);
    expectOk(await this.#send('PUT', key, { headers, body, signal }));
  }

  /** Reads the files twice: an upload needs size and hash in advance. */
  async concat(keys: readonly string[], { key, content_type }: JoinedFile, signal: AbortSignal): Promise<void> {
    const sum = createHash('sha256');
    let bytes = 0;
    for await (const piece of this.#pieces(keys, signal)) {
      sum.update(piece);
      bytes += piece.length;
    }
    // One piece waits for the store.
    const body = Readable.from(this.#pieces(keys, signal), { highWaterMark: 1 });
    await this.put(key, body, { bytes, sha256: sum.digest('hex'), content_type });
  }

  async move(from: string, to: string): Promise<void> {
    const source = `/${this.settings.bucket}/${requireKey(from)}`;
    await expectCopied(await this.#send('PUT', to, { headers: { 'x-amz-copy-source': source } }));
    await this.delete(from);
  }

  async delete(key: string): Promise<void> {
    const response = await this.#send('DELETE', key);
    if (response.status !== 404) expectOk(response);
  }

  async *list(prefix: string): AsyncIterable<ListedFile> {
    let token: string | undefined;
    do {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) };
      const page = listedPage(await expectOk(await this.#fetch('GET', this.#url('', query))).text());
      yield* page.files;
      token = page.next;
    } while (token !== undefined);
  }

  async *#pieces(keys: readonly string[], signal: AbortSignal): AsyncGenerator<Buffer> {
    for (const key of keys) {
      signal.throwIfAborted();
      for await (const piece of await this.read(key)) yield piece as Buffer;
    }
  }

  #url(key: string, query: Readonly<Record<string, string>> = {}): URL {
    const url = new URL(['', this.settings.bucket, ...(key === '' ? [] : [key])].join('/'), this.settings.endpoint);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  async #presign(method: string, { key, from, until }: UploadLink | DownloadLink, asked: Asked): Promise<string> {
    const { accessKeyId, secretAccessKey, region } = this.settings;
    const seconds = String(Math.round((until.getTime() - from.getTime()) / 1_000));
    const signer = new AwsV4Signer({
      method,
      url: this.#url(requireKey(key), { ...asked.query, 'X-Amz-Expires': seconds }).href,
      headers: { ...asked.headers },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      signQuery: true,
      // Signs the headers for length and type, too.
      allHeaders: true,
      datetime: from.toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    });
    return (await signer.sign()).url.href;
  }

  #send(method: string, key: string, asked: Asked = {}): Promise<Response> {
    return this.#fetch(method, this.#url(requireKey(key), asked.query), asked);
  }

  async #fetch(
    method: string,
    url: URL,
    { headers, body, signal = AbortSignal.timeout(TIMEOUT_MS) }: Asked = {},
  ): Promise<Response> {
    const streamed = body && {
      body: Readable.toWeb(body) as NonNullable<RequestInit['body']>,
      duplex: 'half' as const,
    };
    const request = { method, headers: { ...headers }, signal, ...streamed };
    // A stream cannot be sent twice.
    const sent = body
      ? this.#client.sign(url.href, request).then((signed) => fetch(signed))
      : this.#client.fetch(url.href, request);
    return sent.catch((error: unknown) => {
      throw new StoreUnavailable('The store does not answer', { cause: error });
    });
  }
}

/** @throws {StoreUnavailable} when the response ends too early, or its store takes too long */
async function* piecesOf(body: NonNullable<Response['body']>, wait: StoreWait): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const next = () =>
    wait.for(reader.read()).catch((error: unknown) => {
      throw new StoreUnavailable('The store did not send the whole file', { cause: error });
    });
  try {
    for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
  } finally {
    // Ends the request of a reader that leaves early. An error was thrown already.
    await reader.cancel().catch(() => undefined);
  }
}

function expectOk(response: Response): Response {
  if (response.ok) return response;
  throw new StoreUnavailable(`The store responded with ${response.status}`);
}

/** A store may respond with 200 before the copy ends. The body then has the result, or the error. */
async function expectCopied(response: Response): Promise<void> {
  const body = await expectOk(response)
    .text()
    .catch((error: unknown) => {
      throw new StoreUnavailable('The store did not send the result of a copy', { cause: error });
    });
  if (!COPIED.test(body)) throw new StoreUnavailable('The store did not copy the file');
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
