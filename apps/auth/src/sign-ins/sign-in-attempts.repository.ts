import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';

const BEGIN = {
  name: 'sign_in_attempt_begin',
  // Counts before the password check, under the row lock: a hundred concurrent attempts are counted one by one. A key
  // without a delay is blocked until '-infinity' and not until now(): `now()` of an attempt that waited for the lock is
  // before that of the previous one.
  text: `
    INSERT INTO sign_in_attempts AS a (attempt_key, failures, last_at, blocked_until) VALUES ($1, 1, now(), '-infinity')
    ON CONFLICT (attempt_key) DO UPDATE
       SET failures = CASE WHEN a.last_at < now() - make_interval(secs => $2) THEN 1 ELSE a.failures + 1 END,
           last_at = now(),
           blocked_until = CASE
             WHEN a.last_at < now() - make_interval(secs => $2) OR a.failures + 1 < $3::int THEN '-infinity'
             ELSE now() + make_interval(secs => least($5::float8, $4::float8 * 2 ^ least(a.failures + 1 - $3::int, 30)))
           END
     WHERE a.blocked_until <= now()
    RETURNING failures`,
};
const WAIT = {
  name: 'sign_in_attempt_wait',
  text: `
    SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::int AS seconds
      FROM sign_in_attempts WHERE attempt_key = ANY($1::bytea[]) AND blocked_until > now()`,
};
const FAILED = {
  name: 'sign_in_attempt_failed',
  text: `
    SELECT 1 AS failed FROM sign_in_attempts WHERE attempt_key = $1 AND last_at > now() - make_interval(secs => $2)`,
};
const FORGET = { name: 'sign_in_attempt_forget', text: 'DELETE FROM sign_in_attempts WHERE attempt_key = $1' };

export interface SlowDown {
  readonly forgottenAfterSeconds: number;
  readonly freeAttempts: number;
  readonly firstWaitSeconds: number;
  readonly longestWaitSeconds: number;
}

@Injectable()
export class SignInAttemptsRepository {
  constructor(private readonly sql: Sql) {}

  /** Counts an attempt. False during the delay of the key; then nothing is counted. */
  async begin(key: Buffer, rule: SlowDown): Promise<boolean> {
    const values = [key, rule.forgottenAfterSeconds, rule.freeAttempts, rule.firstWaitSeconds, rule.longestWaitSeconds];
    const counted = await this.sql.query(BEGIN, values);
    return counted.length === 1;
  }

  /** Returns the longest delay of the keys, at least 1; undefined if none has one. Counts nothing. */
  async secondsToWait(keys: readonly Buffer[]): Promise<number | undefined> {
    const [row] = await this.sql.query<{ seconds: number | null }>(WAIT, [keys]);
    return row?.seconds ?? undefined;
  }

  /** True while an attempt is remembered. */
  async hasFailed(key: Buffer, { forgottenAfterSeconds }: SlowDown): Promise<boolean> {
    const failed = await this.sql.query(FAILED, [key, forgottenAfterSeconds]);
    return failed.length === 1;
  }

  async forget(key: Buffer): Promise<void> {
    await this.sql.query(FORGET, [key]);
  }
}
