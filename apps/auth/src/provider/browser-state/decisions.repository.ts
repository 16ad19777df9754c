import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { AdapterPayload } from 'oidc-provider';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';

const RELEASE = {
  name: 'interaction_release',
  text: 'update interactions set decided_at = null where interaction_hash = $1 and site_id = $2',
};
const FIND = {
  name: 'interaction_decision',
  text: `
    select payload, decided_at is not null as claimed, ended_at is not null as ended, sealed_response,
           coalesce(ended_at > now() - make_interval(secs => $3), true) as repeatable
      from interactions where interaction_hash = $1 and site_id = $2 and expires_at > now()`,
};
const SAVE_RESPONSE = {
  name: 'interaction_save_response',
  text: `update interactions set sealed_response = $3
          where interaction_hash = $1 and site_id = $2 and ended_at is not null`,
};
const CODE_UNUSED = {
  name: 'code_is_unused',
  text: `select 1 as unused from authorization_codes
          where code_hash = $1 and site_id = $2 and consumed_at is null and expires_at > now()`,
};

/** An interaction and its end. */
export interface DecidedInteraction {
  readonly payload: AdapterPayload;
  /** True from the first decision on, unless it failed. */
  readonly claimed: boolean;
  readonly ended: boolean;
  readonly sealed_response: Buffer | null;
  /** False when the first decision is too long ago. */
  readonly repeatable: boolean;
}

/** The first decision of each interaction, and the response that followed. */
@Injectable()
export class DecisionsRepository {
  constructor(private readonly sql: Sql) {}

  /** Allows another decision. */
  async release(siteId: string, uid: string): Promise<void> {
    await this.sql.query(RELEASE, [sha256(uid), siteId]);
  }

  async find(siteId: string, uid: string): Promise<DecidedInteraction | undefined> {
    const values = [sha256(uid), siteId, LIFETIMES.repeatedDecision];
    const [row] = await this.sql.query<DecidedInteraction>(FIND, values);
    return row;
  }

  async saveResponse(siteId: string, uid: string, sealed: Buffer): Promise<void> {
    await this.sql.query(SAVE_RESPONSE, [sha256(uid), siteId, sealed]);
  }

  async isCodeUnused(siteId: string, code: string): Promise<boolean> {
    return (await this.sql.query(CODE_UNUSED, [sha256(code), siteId])).length === 1;
  }
}
