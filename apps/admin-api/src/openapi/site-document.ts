import { createHash } from 'node:crypto';
import { BASE_URL } from '@lyceum/rest';

/** A text that differs between sites only by their origin: split once, joined for each request. */
export class SiteDocument {
  readonly etag: string;
  readonly #parts: readonly string[];

  constructor(template: string) {
    this.#parts = template.split(BASE_URL);
    this.etag = `"${createHash('sha256').update(template).digest('base64url').slice(0, 27)}"`;
  }

  at(baseUrl: string): string {
    return this.#parts.join(baseUrl);
  }
}

/** Public documentation of the API. */
export class ApiDocuments {
  constructor(
    readonly description: SiteDocument,
    readonly page: SiteDocument,
    /** By the name of the file. */
    readonly recipes: ReadonlyMap<string, SiteDocument>,
    /** By the path below `/docs/errors/`. */
    readonly errors: ReadonlyMap<string, { readonly type: string; readonly document: SiteDocument }>,
  ) {}
}
