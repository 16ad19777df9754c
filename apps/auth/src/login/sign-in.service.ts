import { Injectable } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import { AuditService } from '#src/audit/audit.service.js';
import type { Authenticated } from '#src/people/authenticated.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import { LIMITS, LimitsService } from '#src/limits/limits.service.js';
import type { Limit } from '#src/limits/limits.service.js';
import { sourceOf } from '#src/limits/source.policy.js';
import { sha256 } from '#src/tokens/digest.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SLOW_DOWN } from './slow-down.policy.js';

/** The log is for good, so of a source that is slowed down it says so now and then, and not each time. */
const SLOWED_DOWN_WRITTEN: Limit = { name: 'slowed_down_written', hits: 1, windowSeconds: 60 };

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly who: Authenticated }
  | { readonly kind: 'refused' }
  | { readonly kind: 'slowed_down'; readonly retryAfter: number };

/** Whose password is asked for, and where from. */
export interface SignInSource {
  readonly email: string;
  readonly ip: string;
  readonly site_id: string;
}

export interface SignInAttempt extends SignInSource {
  readonly password: string;
}

/**
 * Password sign-in, slowed down per account and source, and per source for all its failures together. Accounts that do not
 * exist are counted as well.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly people: PeopleService,
    private readonly attempts: SignInAttemptsRepository,
    private readonly limits: LimitsService,
    private readonly audit: AuditService,
  ) {}

  async attempt({ password, ...who }: SignInAttempt): Promise<SignInOutcome> {
    const outcome = await this.prove(who, (account) => this.people.authenticate(account, password));
    if (outcome.kind !== 'signed_in') return outcome;
    const { person_id } = outcome.who;
    await this.audit.record({ event: 'sign_in.succeeded', site_id: who.site_id, person_id });
    return outcome;
  }

  /** `check` answers with whose password it was. A wrong one is a failed sign-in, whatever it was asked for. */
  async prove(
    { email, ip, site_id }: SignInSource,
    check: (account: string) => Promise<Authenticated | undefined>,
  ): Promise<SignInOutcome> {
    const account = canonicalEmail(email) ?? '';
    const source = sourceOf(ip);
    const key = sha256(`${account}\n${source}`);
    const retryAfter = await this.#secondsToWait(key, source);
    if (retryAfter !== undefined) {
      if (await this.limits.within(SLOWED_DOWN_WRITTEN, `${site_id}\n${source}`)) {
        await this.audit.record({ event: 'sign_in.slowed_down', site_id, details: { source } });
      }
      return { kind: 'slowed_down', retryAfter };
    }
    const who = await check(account);
    if (who === undefined) {
      await this.audit.record({ event: 'sign_in.failed', site_id, details: { source } });
      return { kind: 'refused' };
    }
    await Promise.all([this.attempts.forget(key), this.limits.giveBack(LIMITS.failed_sign_ins, source)]);
    return { kind: 'signed_in', who };
  }

  /** Counts the attempt as a failure before the password is looked at: a hundred at once do not slip through. */
  async #secondsToWait(key: Buffer, source: string): Promise<number | undefined> {
    try {
      // First: whoever tries accounts without end leaves no row for each of them.
      await this.limits.take(LIMITS.failed_sign_ins, source);
    } catch (error) {
      if (error instanceof Outcome && error.code === 'rate_limited') return error.retryAfter ?? 1;
      throw error;
    }
    if (await this.attempts.begin(key, SLOW_DOWN)) return undefined;
    await this.limits.giveBack(LIMITS.failed_sign_ins, source);
    return this.attempts.secondsToWait(key);
  }
}
