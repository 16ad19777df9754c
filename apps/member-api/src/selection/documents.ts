import { GraphQLError } from 'graphql';
import type { DocumentNode } from 'graphql';
import { PreparedDocument } from './prepared-document.js';
import type { Ground } from './prepared-document.js';

/** Prepared documents; each lives as long as its parsed document does, which the document store bounds. */
export class Documents {
  readonly #prepared = new WeakMap<DocumentNode, PreparedDocument | GraphQLError>();

  /** @throws GraphQLError when the document itself is beyond a limit. */
  prepare(document: DocumentNode, ground: () => Ground): PreparedDocument {
    let prepared = this.#prepared.get(document);
    if (prepared === undefined) {
      prepared = attempt(document, ground());
      this.#prepared.set(document, prepared);
    }
    if (prepared instanceof GraphQLError) throw prepared;
    return prepared;
  }
}

function attempt(document: DocumentNode, ground: Ground): PreparedDocument | GraphQLError {
  try {
    return new PreparedDocument(document, ground);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
