import { GraphQLError } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { PreparedDocument } from './prepared-document.js';
import type { Ground } from './prepared-document.js';

type Prepared = PreparedDocument | GraphQLError;

/**
 * Maximum number of cached operations of one document, evicted in order of insertion, so that a document with hundreds
 * of operations cannot fill the memory. A `Map` takes 0.2 kB per document; `lru-cache` takes 1.9 kB.
 */
const OPERATIONS = 4;

/** Prepared operations. Each lives as long as its parsed document, and the document store bounds those. */
export class PreparedDocuments {
  readonly #prepared = new WeakMap<DocumentNode, Map<OperationDefinitionNode, Prepared>>();

  /** @throws GraphQLError when the operation itself exceeds a limit. */
  prepare(document: DocumentNode, operation: OperationDefinitionNode, ground: () => Ground): PreparedDocument {
    let operations = this.#prepared.get(document);
    if (operations === undefined) {
      operations = new Map();
      this.#prepared.set(document, operations);
    }
    let prepared = operations.get(operation);
    if (prepared === undefined) {
      prepared = attempt(document, operation, ground());
      const [oldest] = operations.keys();
      if (operations.size >= OPERATIONS && oldest !== undefined) operations.delete(oldest);
      operations.set(operation, prepared);
    }
    if (prepared instanceof GraphQLError) throw prepared;
    return prepared;
  }
}

function attempt(document: DocumentNode, operation: OperationDefinitionNode, ground: Ground): Prepared {
  try {
    return new PreparedDocument(document, operation, ground);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
