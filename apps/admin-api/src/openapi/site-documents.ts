import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BASE_URL } from './document.js';

export interface SiteDocument {
  readonly body: string;
  readonly etag: string;
}

/** As many sites as a replica remembers the documents of; they are made again in a millisecond. */
const MAX_SITES = 200;

/** A text that was made once, with the origin of the site in it. */
@Injectable()
export class SiteDocuments {
  readonly #templates: ReadonlyMap<string, string>;
  readonly #made = new Map<string, SiteDocument>();

  constructor(templates: ReadonlyMap<string, string>) {
    this.#templates = templates;
  }

  get(name: string, baseUrl: string): SiteDocument {
    const key = `${name} ${baseUrl}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const body = (this.#templates.get(name) ?? '').replaceAll(BASE_URL, () => baseUrl);
    const document = { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
    if (this.#made.size >= MAX_SITES * this.#templates.size) this.#made.clear();
    this.#made.set(key, document);
    return document;
  }
}
