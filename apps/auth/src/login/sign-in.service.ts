import { Injectable } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import { AuditService } from '#src/audit/audit.service.js';
import type { Authenticated, SignedIn } from '#src/people/authenticated.js';
import { PasskeysService } from '#src/passkeys/passkeys.service.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import { LIMITS, LimitsService } from '#src/limits/limits.service.js';
import type { Limit } from '#src/limits/limits.service.js';
import { sourceOf } from '#src/limits/source.policy.js';
import type { SiteRecord } from '#src/sites/site.js';
import { sha256 } from '#src/tokens/digest.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SLOW_DOWN } from './slow-down.policy.js';

/** The log is for good, so of a source that is slowed down it says so now and then, and not each time. */
const SLOWED_DOWN_WRITTEN: Limit = { name: 'slowed_down_written', hits: 1, windowSeconds: 60 };

type SlowedDown = { readonly kind: 'slowed_down'; readonly retryAfter: number };

/** Of a password that was asked for. */
export type PasswordOutcome =
  { readonly kind: 'signed_in'; readonly who: SignedIn } | { readonly kind: 'refused' } | SlowedDown;

export type SignInOutcome = PasswordOutcome | { readonly kind: 'passkey_refused' | 'passkey_stale' };

/** RFC 8176: a passkey proves possession of a key, and that who holds it is there and was verified. */
const AMR = { password: ['pwd'], passkey: ['mfa', 'pop', 'user'] } as const;

/** Whose password is asked for, and where from. */
export interface SignInSource {
  readonly email: string;
  readonly ip: string;
  readonly site_id: string;
}

export interface SignInAttempt extends SignInSource {
  readonly password: string;
}

export interface PasskeyAttempt {
  /** What the browser answered, as JSON. */
  readonly credential: string;
  /** What only the browser that was asked has. */
  readonly browser: string;
  readonly ip: string;
  readonly site: SiteRecord;
}

/**
 * Sign-in by password, slowed down per account and source, and by password or passkey, slowed down per source for all its
 * failures together. Accounts that do not exist are counted as well.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly people: PeopleService,
    private readonly passkeys: PasskeysService,
    private readonly attempts: SignInAttemptsRepository,
    private readonly limits: LimitsService,
    private readonly audit: AuditService,
  ) {}

  async attempt({ password, ...who }: SignInAttempt): Promise<SignInOutcome> {
    const outcome = await this.prove(who, (account) => this.people.authenticate(account, password));
    if (outcome.kind !== 'signed_in') return outcome;
    const { person_id } = outcome.who;
    const details = { method: 'password' };
    await this.audit.record({ event: 'sign_in.succeeded', site_id: who.site_id, person_id, details });
    return outcome;
  }

  /** What a browser is asked for; undefined where there are no passkeys, and for whom too many were asked for. */
  async passkeyRequest(site: SiteRecord, browser: string, ip: string): Promise<object | undefined> {
    const isWithin = await this.limits.within(LIMITS.passkey_requests, sourceOf(ip));
    return isWithin ? this.passkeys.request(site, browser) : undefined;
  }

  async attemptPasskey({ credential, browser, ip, site }: PasskeyAttempt): Promise<SignInOutcome> {
    const { site_id } = site;
    const source = sourceOf(ip);
    const method = 'passkey';
    const retryAfter = await this.#secondsOfSource(source);
    if (retryAfter !== undefined) return this.#slowedDown(site_id, source, retryAfter);
    const proof = await this.passkeys.prove(site, { credential, browser });
    if (proof.kind !== 'proved') {
      await this.audit.record({ event: 'sign_in.failed', site_id, details: { source, method } });
      return { kind: proof.kind === 'stale' ? 'passkey_stale' : 'passkey_refused' };
    }
    await this.limits.giveBack(LIMITS.failed_sign_ins, source);
    const { who, passkey_id } = proof;
    const details = { method, passkey_id };
    await this.audit.record({ event: 'sign_in.succeeded', site_id, person_id: who.person_id, details });
    return { kind: 'signed_in', who: { ...who, amr: AMR.passkey } };
  }

  /** `check` answers with whose password it was. A wrong one is a failed sign-in, whatever it was asked for. */
  async prove(
    { email, ip, site_id }: SignInSource,
    check: (account: string) => Promise<Authenticated | undefined>,
  ): Promise<PasswordOutcome> {
    const account = canonicalEmail(email) ?? '';
    const source = sourceOf(ip);
    const key = sha256(`${account}\n${source}`);
    const retryAfter = await this.#secondsToWait(key, source);
    if (retryAfter !== undefined) return this.#slowedDown(site_id, source, retryAfter);
    const who = await check(account);
    if (who === undefined) {
      await this.audit.record({ event: 'sign_in.failed', site_id, details: { source, method: 'password' } });
      return { kind: 'refused' };
    }
    await Promise.all([this.attempts.forget(key), this.limits.giveBack(LIMITS.failed_sign_ins, source)]);
    return { kind: 'signed_in', who: { ...who, amr: AMR.password } };
  }

  async #slowedDown(site_id: string, source: string, retryAfter: number): Promise<SlowedDown> {
    if (await this.limits.within(SLOWED_DOWN_WRITTEN, `${site_id}\n${source}`)) {
      await this.audit.record({ event: 'sign_in.slowed_down', site_id, details: { source } });
    }
    return { kind: 'slowed_down', retryAfter };
  }

  /** Counts the attempt as a failure before the password is looked at: a hundred at once do not slip through. */
  async #secondsToWait(key: Buffer, source: string): Promise<number | undefined> {
    // First: whoever tries accounts without end leaves no row for each of them.
    const retryAfter = await this.#secondsOfSource(source);
    if (retryAfter !== undefined) return retryAfter;
    if (await this.attempts.begin(key, SLOW_DOWN)) return undefined;
    await this.limits.giveBack(LIMITS.failed_sign_ins, source);
    return this.attempts.secondsToWait(key);
  }

  async #secondsOfSource(source: string): Promise<number | undefined> {
    try {
      await this.limits.take(LIMITS.failed_sign_ins, source);
      return undefined;
    } catch (error) {
      if (error instanceof Outcome && error.code === 'rate_limited') return error.retryAfter ?? 1;
      throw error;
    }
  }
}
