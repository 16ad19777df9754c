import type { Principal } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import type { Write } from '../idempotency/write.js';
import { ItemQuotas } from '../limits/item-quotas.js';
import type { ApiResponse } from '../responses/response.js';
import { runBulk } from './bulk.js';
import type { BulkBody, BulkWork } from './bulk.js';

/** Runs bulk requests, as `IdempotentWrites` runs other writes. */
@Injectable()
export class BulkWrites {
  constructor(
    private readonly writes: IdempotentWrites,
    private readonly quotas: ItemQuotas,
  ) {}

  /**
   * Creates the items of a request. A replay and a dry run cost their items too.
   *
   * @throws ApiError `rate_limited` before any work
   */
  async run(principal: Principal, write: Write, body: object | undefined, work: BulkWork): Promise<ApiResponse> {
    await this.quotas.take(principal, (body as BulkBody).items.length);
    return this.writes.run(principal, write, (tx) => runBulk(body, { ...write, tx }, work));
  }
}
