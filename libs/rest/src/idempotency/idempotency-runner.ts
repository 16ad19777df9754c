import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IdempotencyRepository } from './idempotency.repository.js';
import type { KeyedRequest } from './idempotency.repository.js';
import { hasStepped } from './outside.js';

/** How work under a key ended: now, or in an earlier request, as JSON. */
type Outcome<T> =
  | { readonly ending: T; readonly replayed: false }
  | { readonly ending: unknown; readonly replayed: true };

/** Another request with the key ended between our look at it and our lock on it. */
class KeyConflict extends Error {}

/**
 * Runs the work of a key once, and stores its response in the transaction of the change, so neither exists without the
 * other. A killed server leaves no change that a repeated request would make twice. It leaves no key "in progress" but
 * that of a step outside of the transaction, for ten seconds. Work that throws is not remembered.
 */
@Injectable()
export class IdempotencyRunner {
  constructor(
    private readonly outbox: Outbox,
    private readonly keys: IdempotencyRepository,
  ) {}

  async run<T extends object>(request: KeyedRequest, work: (tx: EntityManager) => Promise<T>): Promise<Outcome<T>> {
    for (;;) {
      try {
        return await this.outbox.transaction((tx) => this.#end(tx, request, work));
      } catch (error) {
        if (!(error instanceof KeyConflict)) throw error;
      }
    }
  }

  /**
   * Runs the step of a write outside of its transaction, and the write after it, while no other request has the key.
   *
   * @throws ApiError `idempotency_in_progress`
   */
  async alone<T>(request: KeyedRequest, rest: () => Promise<T>): Promise<T> {
    if (!(await this.outbox.transaction((tx) => this.keys.mark(tx, request)))) throw inProgress();
    try {
      return await rest();
    } catch (error) {
      await this.outbox.transaction((tx) => this.keys.unmark(tx, request.id));
      throw error;
    }
  }

  async #end<T extends object>(
    tx: EntityManager,
    request: KeyedRequest,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<Outcome<T>> {
    const stepped = hasStepped();
    const { taken, running, remembered } = await (stepped
      ? this.keys.takeMarked(tx, request.id)
      : this.keys.take(tx, request.id));
    if (remembered !== undefined) {
      if (!remembered.requestHash.equals(request.requestHash)) throw reused();
      return { ending: remembered.ending, replayed: true };
    }
    if (!taken || (running && !stepped)) throw inProgress();
    const ending = await work(tx);
    if (!(await this.outbox.finish(tx, this.keys.rowOf(request, ending)))) throw new KeyConflict();
    return { ending, replayed: false };
  }
}

function inProgress(): ApiError {
  return new ApiError('idempotency_in_progress', 'The first request with this key is still running', { retryAfter: 1 });
}

function reused(): ApiError {
  return new ApiError('idempotency_key_reused', 'The key was used for another request within the last 24 hours', {
    hint: 'Use a new key for a new request',
  });
}
