import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BASE_URL } from '@lyceum/rest';

const compress = promisify(gzip);
/** Sites whose compressed text is kept: those that asked last. */
const KEPT = 16;

/** A text that differs between sites only by their origin: split once, joined for each request. */
export class SiteDocument {
  readonly etag: string;
  readonly #parts: readonly string[];
  readonly #compressed = new Map<string, Promise<Buffer>>();

  constructor(template: string) {
    this.#parts = template.split(BASE_URL);
    this.etag = `"${createHash('sha256').update(template).digest('base64url').slice(0, 27)}"`;
  }

  at(baseUrl: string): string {
    return this.#parts.join(baseUrl);
  }

  /** The text in gzip. The work is done once for many requests of a site. */
  async compressedAt(baseUrl: string): Promise<Buffer> {
    const kept = this.#compressed.get(baseUrl) ?? compress(this.at(baseUrl));
    this.#compressed.delete(baseUrl);
    this.#compressed.set(baseUrl, kept);
    const [oldest] = this.#compressed.keys();
    if (this.#compressed.size > KEPT && oldest !== undefined) this.#compressed.delete(oldest);
    return kept;
  }
}
