import { hash } from 'node:crypto';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApiResponse } from '../responses/response.js';
import { Disclosure } from './disclosure.js';
import { replay, storedErrorOf, storedResponseSchema } from './stored-response.js';
import type { StoredResponse } from './stored-response.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import type { KeyedRequest } from './idempotency.repository.js';
import type { WriteResponse } from './write-response.js';
import type { Write } from './write.js';

type Work = (tx: EntityManager) => Promise<WriteResponse>;

/** Thrown to undo a transaction that ended well. */
class DryRunRollback extends Error {
  constructor(readonly answer: WriteResponse) {
    super('A rehearsal is undone');
  }
}

/** Thrown to undo the work of a transaction that must be remembered as refused. */
class Refused extends Error {
  constructor(readonly ending: StoredResponse) {
    super('The work was refused');
  }
}

/** Another request with the key ended between our look at it and our lock on it. */
class LostRace extends Error {}

/**
 * Runs a change in one transaction, with what every change of the API can be asked for: `Idempotency-Key` and `dry_run`.
 * The answer is stored in the transaction of the change, so neither exists without the other: a server that is killed
 * leaves no key "in progress" for ever, and no change that a repeated request would make twice. A refusal, which changes
 * nothing, is stored after its transaction is undone. Each answer shows what the scopes of the caller allow (`Disclosure`).
 */
@Injectable()
export class IdempotentWrites {
  constructor(
    private readonly outbox: Outbox,
    private readonly keys: IdempotencyRepository,
  ) {}

  async run(principal: Principal, write: Write, work: Work): Promise<ApiResponse> {
    const disclosure = new Disclosure(principal, write);
    // A dry run changes nothing, so its key is not stored.
    if (write.dryRun) return disclosure.rehearsed(await this.#rehearse(work));
    if (write.key === null) return replay(disclosure.ending(await this.outbox.transaction(work)), false);
    const id = keyId(principal, write.operation, write.key);
    return this.#once({ id, site_id: principal.site_id, requestHash: write.requestHash }, disclosure, work);
  }

  /** Does the work, events and all, and undoes it: what it would change is what it did. */
  async #rehearse(work: Work): Promise<WriteResponse> {
    try {
      return await this.outbox.transaction(async (tx) => {
        throw new DryRunRollback(await work(tx));
      });
    } catch (error) {
      if (!(error instanceof DryRunRollback)) throw error;
      return error.answer;
    }
  }

  async #once(request: KeyedRequest, disclosure: Disclosure, work: Work): Promise<ApiResponse> {
    for (;;) {
      try {
        return await this.#attempt(request, disclosure, work);
      } catch (error) {
        if (!(error instanceof LostRace)) throw error;
      }
    }
  }

  async #attempt(request: KeyedRequest, disclosure: Disclosure, work: Work): Promise<ApiResponse> {
    const end = async (tx: EntityManager): Promise<StoredResponse> => disclosure.ending(await work(tx).catch(refuse));
    try {
      return await this.#end(request, disclosure, end);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The refusal has undone all that the work did. If a second request took the key since, its ending counts.
      return this.#end(request, disclosure, () => Promise.resolve(error.ending));
    }
  }

  /** In one transaction: takes the key, and either repeats the ending that it remembers or stores a new one. */
  async #end(
    request: KeyedRequest,
    disclosure: Disclosure,
    end: (tx: EntityManager) => Promise<StoredResponse>,
  ): Promise<ApiResponse> {
    const [ending, replayed] = await this.outbox.transaction(async (tx): Promise<[StoredResponse, boolean]> => {
      const { taken, remembered } = await this.keys.take(tx, request.id);
      if (remembered !== undefined) {
        if (!remembered.requestHash.equals(request.requestHash)) throw reused();
        return [disclosure.replayed(storedResponseSchema.parse(remembered.ending)), true];
      }
      if (!taken) throw inProgress();
      const fresh = await end(tx);
      if (!(await this.keys.store(tx, request, fresh))) throw new LostRace();
      return [fresh, false];
    });
    return replay(ending, replayed);
  }
}

/** A mistake of the caller is remembered; any other error stays as it is. */
function refuse(error: unknown): never {
  const ending = storedErrorOf(error);
  throw ending === undefined ? error : new Refused(ending);
}

/** A key is one caller's: the same word used by another client, person, site or operation is another key. */
function keyId(principal: Principal, operation: string, key: string): Buffer {
  const parts = [principal.site_id, principal.client_id, principal.person_id, operation, key];
  return hash('sha256', JSON.stringify(parts), 'buffer');
}

function inProgress(): ApiError {
  return new ApiError('idempotency_in_progress', 'The first request with this key is still running', { retryAfter: 1 });
}

function reused(): ApiError {
  return new ApiError('idempotency_key_reused', 'The key was used for another request within the last 24 hours', {
    hint: 'Use a new key for a new request',
  });
}
