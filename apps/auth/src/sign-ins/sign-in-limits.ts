import { Injectable } from '@nestjs/common';
import { AuditService } from '#src/audit/audit.service.js';
import { LIMITS } from '#src/limits/limits.js';
import type { Limit } from '@lyceum/rate-limit';
import { RateLimiter } from '@lyceum/rate-limit';
import { sha256 } from '#src/secrets/digest.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SLOW_DOWN, SLOW_DOWN_EVERYWHERE } from './slow-down.policy.js';

/** Any caller can cause these, so the audit log samples them per source. */
const SLOWED_DOWN_WRITTEN: Limit = { name: 'slowed_down_written', hits: 1, windowSeconds: 60 };
const REFUSED_PASSKEYS_WRITTEN: Limit = { name: 'refused_passkeys_written', hits: 60, windowSeconds: 300 };

export interface Source {
  readonly site_id: string;
  /** The key of the limits. */
  readonly source: string;
}

export interface PasswordAttempt extends Source {
  /** The normalized address; empty when it is invalid. */
  readonly account: string;
  /** Undefined: this browser has not signed in to the account before. */
  readonly device: string | undefined;
}

/** The limits of the source that count it. */
export interface BegunAttempt {
  readonly taken: readonly Limit[];
}

export interface SlowedDown {
  /** Seconds. */
  readonly retryAfter: number;
}

const placeOf = ({ site_id, source }: Source): string => `${site_id}\n${source}`;
/** A known browser is counted separately, so that guesses of others at its address do not delay it. */
const keyOf = ({ account, device, source }: PasswordAttempt): Buffer =>
  sha256(device === undefined ? `${account}\n${source}` : `${account}\ndevice\n${device}`);
const everywhereKeyOf = ({ account }: PasswordAttempt): Buffer => sha256(`${account}\neverywhere`);
/** All known browsers of an account: who had a former password may have many. No other browser counts. */
const devicesKeyOf = ({ account }: PasswordAttempt): Buffer => sha256(`${account}\ndevices`);

/**
 * Limits password attempts: of an account at a source, of an account everywhere, of its known browsers, and of a
 * source at a site. Passkeys are not limited, because they cannot be guessed.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly attempts: SignInAttemptsRepository,
    private readonly limits: RateLimiter,
    private readonly audit: AuditService,
  ) {}

  /**
   * Counts the attempt as a failure before the password check: a hundred concurrent attempts are counted one by one.
   */
  async begin(attempt: PasswordAttempt): Promise<BegunAttempt | SlowedDown> {
    const { site_id, source } = attempt;
    const begun = await this.#begin(attempt);
    if ('retryAfter' in begun && (await this.#isWithin(SLOWED_DOWN_WRITTEN, placeOf(attempt)))) {
      await this.audit.record({ event: 'sign_in.slowed_down', site_id, details: { source } });
    }
    return begun;
  }

  async #begin(attempt: PasswordAttempt): Promise<BegunAttempt | SlowedDown> {
    const key = keyOf(attempt);
    if (attempt.device !== undefined) {
      const retryAfter =
        (await this.#count(key, SLOW_DOWN)) ?? (await this.#count(devicesKeyOf(attempt), SLOW_DOWN_EVERYWHERE));
      return retryAfter === undefined ? { taken: [] } : { retryAfter };
    }
    // First: a blocked source leaves no row per account.
    const begun = await this.#beginAtSource(attempt, key);
    if ('retryAfter' in begun) return begun;
    const everywhereKey = everywhereKeyOf(attempt);
    const retryAfter =
      // Before the first count: an attempt that one of the two delays counts for neither.
      (await this.attempts.secondsToWait([key, everywhereKey])) ??
      (await this.#count(key, SLOW_DOWN)) ??
      (await this.#count(everywhereKey, SLOW_DOWN_EVERYWHERE));
    if (retryAfter === undefined) return begun;
    this.#giveBack(attempt, begun);
    return { retryAfter };
  }

  /** Returns the seconds of the delay if the attempt was not counted. */
  async #count(key: Buffer, rule: typeof SLOW_DOWN | typeof SLOW_DOWN_EVERYWHERE): Promise<number | undefined> {
    if (await this.attempts.begin(key, rule)) return undefined;
    return (await this.attempts.secondsToWait([key])) ?? 1;
  }

  /** Refused attempts do not count; otherwise one person could lock out all others by repeating them. */
  async #beginAtSource(attempt: PasswordAttempt, key: Buffer): Promise<BegunAttempt | SlowedDown> {
    const place = placeOf(attempt);
    const { failed_sign_ins: ofAll, failed_sign_ins_of_strangers: ofStrangers } = LIMITS;
    const untilAll = await this.limits.secondsToWait(ofStrangers, place);
    if (untilAll !== undefined) return { retryAfter: untilAll };
    const retryAfter = await this.limits.secondsToWait(ofAll, place);
    if (retryAfter === undefined) return { taken: [ofStrangers, ofAll] };
    const begun = { taken: [ofStrangers] };
    if (!(await this.attempts.hasFailed(key, SLOW_DOWN))) return begun;
    this.#giveBack(attempt, begun);
    return { retryAfter };
  }

  #giveBack(attempt: PasswordAttempt, { taken }: BegunAttempt): void {
    for (const limit of taken) this.limits.giveBack(limit, placeOf(attempt));
  }

  async #isWithin(limit: Limit, subject: string): Promise<boolean> {
    return (await this.limits.secondsToWait(limit, subject)) === undefined;
  }

  /** Undoes the count of a successful attempt. */
  async succeeded(attempt: PasswordAttempt, begun: BegunAttempt): Promise<void> {
    this.#giveBack(attempt, begun);
    const ofAll = attempt.device === undefined ? everywhereKeyOf(attempt) : devicesKeyOf(attempt);
    await Promise.all([this.attempts.forget(keyOf(attempt)), this.attempts.forget(ofAll)]);
  }

  async passkeyRefused(at: Source): Promise<void> {
    if (!(await this.#isWithin(REFUSED_PASSKEYS_WRITTEN, placeOf(at)))) return;
    const details = { source: at.source, method: 'passkey' };
    await this.audit.record({ event: 'sign_in.failed', site_id: at.site_id, details });
  }

  /** Each page with a passkey request stores a challenge. */
  mayOfferPasskeys(source: string): Promise<boolean> {
    return this.#isWithin(LIMITS.passkey_requests, source);
  }
}
