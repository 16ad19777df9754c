import { hash } from 'node:crypto';
import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApiResponse } from '../responses/response.js';
import { ResponseRedaction } from './response-redaction.js';
import { replay, storedErrorOf, storedResponseSchema } from './stored-response.js';
import type { StoredResponse } from './stored-response.js';
import type { KeyedRequest } from './idempotency.repository.js';
import { IdempotencyRunner } from './idempotency-runner.js';
import { withStep } from './outside.js';
import type { WriteResponse } from './write-response.js';
import type { Write } from './write.js';

type Work = (tx: EntityManager) => Promise<WriteResponse>;

/** Thrown to undo a transaction that ended well. */
class DryRunRollback extends Error {
  constructor(readonly response: WriteResponse) {
    super('A dry run is rolled back');
  }
}

/** Thrown to undo the work of a transaction that must be remembered as refused. */
class Refused extends Error {
  constructor(
    readonly ending: StoredResponse,
    cause: unknown,
  ) {
    super('The work was refused', { cause });
  }
}

/**
 * Runs a write in one transaction, with `Idempotency-Key` and `dry_run`, which every write of the API accepts. A
 * refusal is stored after the rollback of its transaction. Each response shows the members that the scopes of the
 * caller allow (`ResponseRedaction`).
 */
@Injectable()
export class IdempotentWrites {
  constructor(
    private readonly outbox: Outbox,
    private readonly keyed: IdempotencyRunner,
  ) {}

  /** @throws ApiError `idempotency_key_reused` or the error of the work, after its rollback */
  run(principal: Principal, write: Write, work: Work): Promise<ApiResponse> {
    const disclosure = new ResponseRedaction(principal, write);
    // A dry run changes nothing, so its key is not stored.
    if (write.dryRun) return withStep(async () => disclosure.dryRun(await this.#dryRun(work)));
    if (write.key === null)
      return withStep(async () => replay(disclosure.ending(await this.outbox.transaction(work)), false));
    const id = keyId(principal, write.operation, write.key);
    const request = { id, site_id: principal.site_id, requestHash: write.requestHash };
    return withStep(
      () => this.#once(request, disclosure, work),
      (rest) => this.keyed.alone(request, rest),
    );
  }

  /** Runs the work with its events in a transaction, and rolls it back. */
  async #dryRun(work: Work): Promise<WriteResponse> {
    try {
      return await this.outbox.transaction(async (tx) => {
        throw new DryRunRollback(await work(tx));
      });
    } catch (error) {
      if (!(error instanceof DryRunRollback)) throw error;
      return error.response;
    }
  }

  async #once(request: KeyedRequest, disclosure: ResponseRedaction, work: Work): Promise<ApiResponse> {
    const end = async (tx: EntityManager): Promise<StoredResponse> => disclosure.ending(await work(tx).catch(refuse));
    const ended = await this.keyed.run(request, end).catch(async (error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      // The transaction of the refused work is rolled back. If a second request took the key since, its response
      // counts.
      const stored = await this.keyed.run(request, () => Promise.resolve(error.ending));
      if (!stored.replayed) throw error.cause;
      return stored;
    });
    if (!ended.replayed) return replay(ended.ending, false);
    return replay(disclosure.replayed(storedResponseSchema.parse(ended.ending)), true);
  }
}

/** A refusal by the state of objects is remembered; any other error stays as it is. */
function refuse(error: unknown): never {
  const ending = storedErrorOf(error);
  throw ending === undefined ? error : new Refused(ending, error);
}

/** A key is one caller's: the same word used by another client, person, site or operation is another key. */
function keyId(principal: Principal, operation: string, key: string): Buffer {
  const parts = [principal.site_id, principal.client_id, principal.person_id, operation, key];
  return hash('sha256', JSON.stringify(parts), 'buffer');
}
