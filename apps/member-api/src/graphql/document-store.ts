import type { DocumentNode } from 'graphql';

/** Characters of document text kept; what is parsed from one takes some 200 bytes. */
const CAPACITY = 120_000;

interface Entry {
  readonly document: DocumentNode;
  readonly weight: number;
}

/**
 * Parsed and valid documents by the hash of their text; the least recently used goes first. Clients have few documents
 * and send them often, and one that sends a new one each time must not fill the memory.
 */
export class DocumentStore {
  readonly #entries = new Map<string, Entry>();
  readonly #capacity: number;
  #weight = 0;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  async get(key: string): Promise<DocumentNode | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.document;
  }

  async set(key: string, document: DocumentNode): Promise<void> {
    await this.delete(key);
    const weight = document.loc?.source.body.length ?? this.#capacity;
    if (weight > this.#capacity) return;
    this.#entries.set(key, { document, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) break;
      await this.delete(oldest);
    }
  }

  async delete(key: string): Promise<boolean> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#weight -= entry.weight;
    return this.#entries.delete(key);
  }
}
