import { Injectable } from '@nestjs/common';
import { AuditService } from '#src/audit/audit.service.js';
import { LIMITS, LimitsService } from '#src/limits/limits.service.js';
import type { Limit } from '#src/limits/limits.service.js';
import { sha256 } from '#src/secrets/digest.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SLOW_DOWN, SLOW_DOWN_EVERYWHERE } from './slow-down.policy.js';

/** Anybody can bring these about, so the audit log takes only so many of one source. */
const SLOWED_DOWN_WRITTEN: Limit = { name: 'slowed_down_written', hits: 1, windowSeconds: 60 };
const REFUSED_PASSKEYS_WRITTEN: Limit = { name: 'refused_passkeys_written', hits: 60, windowSeconds: 300 };

export interface Source {
  readonly site_id: string;
  /** As limits count it. */
  readonly source: string;
}

export interface PasswordAttempt extends Source {
  /** The address as it identifies a person; empty when it is no address. */
  readonly account: string;
  /** Undefined: this browser did not sign in to the account before. */
  readonly device: string | undefined;
}

const placeOf = ({ site_id, source }: Source): string => `${site_id}\n${source}`;
/** A known browser is counted apart, so that guesses of others at its address do not slow it down. */
const keyOf = ({ account, device, source }: PasswordAttempt): Buffer =>
  sha256(device === undefined ? `${account}\n${source}` : `${account}\ndevice\n${device}`);
const everywhereKeyOf = ({ account }: PasswordAttempt): Buffer => sha256(`${account}\neverywhere`);

/**
 * How often passwords may be tried: of an account at a source, of an account everywhere, and of a source at a site. Passkeys
 * are not limited, because nothing can be guessed.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly attempts: SignInAttemptsRepository,
    private readonly limits: LimitsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * The seconds to wait, if any. Counts the attempt as a failure before the password is looked at: a hundred at once do not
   * slip through.
   */
  async secondsToWait(attempt: PasswordAttempt): Promise<number | undefined> {
    const { site_id, source } = attempt;
    const retryAfter = await this.#secondsToWait(attempt);
    if (retryAfter !== undefined && (await this.limits.within(SLOWED_DOWN_WRITTEN, placeOf(attempt)))) {
      await this.audit.record({ event: 'sign_in.slowed_down', site_id, details: { source } });
    }
    return retryAfter;
  }

  async #secondsToWait(attempt: PasswordAttempt): Promise<number | undefined> {
    const key = keyOf(attempt);
    if (attempt.device !== undefined) return this.#begin(key, SLOW_DOWN);
    // First: a source that tries accounts without end leaves no row for each of them.
    const held = await this.#secondsOfSource(attempt, key);
    if (held !== undefined) return held;
    const retryAfter =
      (await this.#begin(key, SLOW_DOWN)) ?? (await this.#begin(everywhereKeyOf(attempt), SLOW_DOWN_EVERYWHERE));
    if (retryAfter !== undefined) await this.limits.giveBack(LIMITS.failed_sign_ins, placeOf(attempt));
    return retryAfter;
  }

  async #begin(key: Buffer, rule: typeof SLOW_DOWN | typeof SLOW_DOWN_EVERYWHERE): Promise<number | undefined> {
    return (await this.attempts.begin(key, rule)) ? undefined : this.attempts.secondsToWait(key);
  }

  async #secondsOfSource(attempt: PasswordAttempt, key: Buffer): Promise<number | undefined> {
    const { hits, left_seconds } = await this.limits.count(LIMITS.failed_sign_ins, placeOf(attempt));
    if (hits <= LIMITS.failed_sign_ins.hits) return undefined;
    const isHeld = hits > LIMITS.failed_sign_ins_of_strangers.hits || (await this.attempts.hasFailed(key, SLOW_DOWN));
    if (!isHeld) return undefined;
    // Attempts that are held count for nothing, or one person could hold all others by going on.
    await this.limits.giveBack(LIMITS.failed_sign_ins, placeOf(attempt));
    return Math.max(1, left_seconds);
  }

  /** The attempt was no failure after all. */
  async succeeded(attempt: PasswordAttempt): Promise<void> {
    if (attempt.device !== undefined) return this.attempts.forget(keyOf(attempt));
    await Promise.all([
      this.attempts.forget(keyOf(attempt)),
      this.attempts.forget(everywhereKeyOf(attempt)),
      this.limits.giveBack(LIMITS.failed_sign_ins, placeOf(attempt)),
    ]);
  }

  async passkeyRefused(at: Source): Promise<void> {
    if (!(await this.limits.within(REFUSED_PASSKEYS_WRITTEN, placeOf(at)))) return;
    const details = { source: at.source, method: 'passkey' };
    await this.audit.record({ event: 'sign_in.failed', site_id: at.site_id, details });
  }

  /** Each page that offers passkeys keeps a challenge. */
  mayOfferPasskeys(source: string): Promise<boolean> {
    return this.limits.within(LIMITS.passkey_requests, source);
  }
}
