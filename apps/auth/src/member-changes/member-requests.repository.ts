import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';

/** The stored result of a request. */
export interface DoneRequest {
  readonly member_id: string;
  readonly changed: boolean;
}

/** Stores the results of requests by their ids, so that a repetition changes nothing. */
@Injectable()
export class MemberRequestsRepository {
  /** Returns the stored result; undefined for a new request. A repetition waits until the first request has ended. */
  async take(manager: EntityManager, siteId: string, requestId: string): Promise<DoneRequest | undefined> {
    const key = [siteId, requestId];
    const taken = await rows(
      manager,
      'insert into member_requests (site_id, request_id) values ($1, $2) on conflict do nothing returning 1 as taken',
      key,
    );
    if (taken.length === 1) return undefined;
    const text = 'select member_id, changed from member_requests where site_id = $1 and request_id = $2';
    const [done] = await rows<DoneRequest>(manager, text, key);
    if (done === undefined) throw new Error('A request that is in the way does not exist');
    return done;
  }

  async finish(
    manager: EntityManager,
    siteId: string,
    requestId: string,
    { member_id, changed }: DoneRequest,
  ): Promise<void> {
    const text = 'update member_requests set member_id = $3, changed = $4 where site_id = $1 and request_id = $2';
    await manager.query(text, [siteId, requestId, member_id, changed]);
  }
}
