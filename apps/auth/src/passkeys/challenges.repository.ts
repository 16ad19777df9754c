import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';

/** Creating a passkey, or signing in with one. */
export type Ceremony = 'create' | 'get';

export interface ChallengeContext {
  readonly site_id: string;
  readonly ceremony: Ceremony;
  /** A value that only the challenged browser or its session has. */
  readonly browser: string;
}

const ISSUE = {
  name: 'passkey_challenge_issue',
  text: `
    INSERT INTO passkey_challenges (challenge_hash, site_id, ceremony, browser_hash, expires_at)
    VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
};
const TAKE = {
  name: 'passkey_challenge_take',
  text: `
    DELETE FROM passkey_challenges
     WHERE challenge_hash = $1 AND site_id = $2 AND ceremony = $3 AND browser_hash = $4 AND expires_at > now()
    RETURNING 1 AS taken`,
};

const values = (challenge: string, { site_id, ceremony, browser }: ChallengeContext): unknown[] => [
  sha256(challenge),
  site_id,
  ceremony,
  sha256(browser),
];

@Injectable()
export class ChallengesRepository {
  constructor(private readonly sql: Sql) {}

  async issue(challenge: string, context: ChallengeContext): Promise<void> {
    await this.sql.query(ISSUE, [...values(challenge, context), LIFETIMES.passkeyChallenge]);
  }

  /** True once, for the challenged browser, before the challenge expires. */
  async take(challenge: string, context: ChallengeContext): Promise<boolean> {
    const taken = await this.sql.query(TAKE, values(challenge, context));
    return taken.length === 1;
  }

  /** As `take`, in a transaction: a repetition waits for its end. */
  async takeIn(manager: EntityManager, challenge: string, context: ChallengeContext): Promise<boolean> {
    return (await rows(manager, TAKE.text, values(challenge, context))).length === 1;
  }
}
