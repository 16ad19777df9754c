import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { textLength } from './apollo.internals.js';

/** Characters of document text kept; the parsed document takes some 200 bytes for each. */
const CAPACITY = 120_000;

/**
 * Parsed and valid documents by the hash of their text; the least recently used is evicted first. Most clients repeat
 * few documents. The capacity protects the memory from a client that sends a new document each time.
 */
export class DocumentStore {
  readonly #documents = new LRUCache<string, DocumentNode>({
    maxSize: CAPACITY,
    sizeCalculation: (document) => textLength(document, CAPACITY),
  });

  get size(): number {
    return this.#documents.size;
  }

  async get(key: string): Promise<DocumentNode | undefined> {
    return this.#documents.get(key);
  }

  async set(key: string, document: DocumentNode): Promise<void> {
    this.#documents.set(key, document);
  }

  async delete(key: string): Promise<boolean> {
    return this.#documents.delete(key);
  }
}
