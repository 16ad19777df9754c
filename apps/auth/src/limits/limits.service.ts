import { Injectable } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import type { Limit } from '@lyceum/rate-limit';
import { sha256 } from '#src/secrets/digest.js';
import { LimitsRepository } from './limits.repository.js';
import { sourceOf } from './source.policy.js';

export type { Limit };

/** Limits that all replicas share. auth.md shows them. */
export const LIMITS = {
  /** Each one that has to be answered by a person is kept until its time is over. */
  authorizations: { name: 'authorizations', hits: 600, windowSeconds: 60 },
  /** Of one source over all clients: anybody can register further ones. */
  authorizations_by_source: { name: 'authorizations_by_source', hits: 1200, windowSeconds: 60 },
  registration: { name: 'registration', hits: 20, windowSeconds: 60 },
  /** Of one site: a source with many networks has a limit of its own in each. */
  registration_by_site: { name: 'registration_by_site', hits: 2000, windowSeconds: 3600 },
  /** Client metadata documents that are fetched because of one source, and from one host. */
  documents_by_source: { name: 'documents_by_source', hits: 20, windowSeconds: 60 },
  documents_by_host: { name: 'documents_by_host', hits: 60, windowSeconds: 60 },
  /**
   * Failed sign-ins of one source at one site, over all accounts: a few passwords are tried on many. Beyond it the accounts
   * that failed there wait, and beyond the second one all browsers that did not sign in to the account before.
   */
  failed_sign_ins: { name: 'failed_sign_ins', hits: 60, windowSeconds: 300 },
  failed_sign_ins_of_strangers: { name: 'failed_sign_ins', hits: 300, windowSeconds: 300 },
  /** Sign-in pages that ask for a passkey: each keeps a challenge. Beyond it they have the password only. */
  passkey_requests: { name: 'passkey_requests', hits: 600, windowSeconds: 60 },
  /** Links to set another password: mails to one person, and requests of one source at one site, as with sign-ins. */
  password_resets: { name: 'password_resets', hits: 5, windowSeconds: 3600 },
  password_resets_by_source: { name: 'password_resets_by_source', hits: 20, windowSeconds: 3600 },
  password_resets_of_strangers: { name: 'password_resets_by_source', hits: 100, windowSeconds: 3600 },
  /** Wrong secrets of one client from one source. */
  wrong_secrets: { name: 'wrong_secrets', hits: 20, windowSeconds: 60 },
  /** Requests of one client from one source: a server of many people, or an office. */
  token_requests: { name: 'token_requests', hits: 600, windowSeconds: 60, unshared: 60 },
  revocations: { name: 'revocations', hits: 600, windowSeconds: 60, unshared: 60 },
  /** Requests with the codes and tokens of one grant, from all sources. Each success adds rows. */
  token_requests_of_grant: { name: 'token_requests_of_grant', hits: 60, windowSeconds: 60, unshared: 6 },
  /** Some proxies ask for each request that they pass on. */
  userinfo_requests: { name: 'userinfo_requests', hits: 600, windowSeconds: 60, unshared: 60 },
} as const satisfies Record<string, Limit>;

/** Who is counted for a wrong secret. */
export function secretGuesser(clientId: string, ip: string): string {
  return `${clientId}\n${sourceOf(ip)}`;
}

/** Who is counted for an authorization request. */
export function authorizer(clientKey: string, ip: string): string {
  return `${clientKey}\n${sourceOf(ip)}`;
}

/** How many are remembered as held. Whoever drops out is held again after the next failure. */
const MOST_HELD = 10_000;

const keyOf = (limit: Limit, who: string): string => `${limit.name}\n${who}`;

function exceeded({ hits, windowSeconds }: Limit, seconds: number): Outcome {
  const detail = `There were more than ${hits} requests in ${windowSeconds} seconds`;
  return new Outcome('rate_limited', detail, { retryAfter: Math.max(1, Math.ceil(seconds)) });
}

@Injectable()
export class LimitsService {
  /** Until when, in milliseconds. A copy of what the database counted, so that honest requests cost no look-up. */
  readonly #held = new Map<string, number>();

  constructor(private readonly limits: LimitsRepository) {}

  /** @throws Outcome `rate_limited`, with the seconds until the window ends. */
  async take(limit: Limit, who: string): Promise<void> {
    const { hits, left_seconds } = await this.limits.take(sha256(keyOf(limit, who)), limit.windowSeconds);
    if (hits > limit.hits) throw exceeded(limit, left_seconds);
  }

  /** Counts a hit, for limits that depend on more than the count. */
  count(limit: Limit, who: string): Promise<{ hits: number; left_seconds: number }> {
    return this.limits.take(sha256(keyOf(limit, who)), limit.windowSeconds);
  }

  /** Counts a hit as well, for what is left undone without a word beyond the limit. */
  async within(limit: Limit, who: string): Promise<boolean> {
    const { hits } = await this.limits.take(sha256(keyOf(limit, who)), limit.windowSeconds);
    return hits <= limit.hits;
  }

  /** For a hit that turned out not to be one. */
  async giveBack(limit: Limit, who: string): Promise<void> {
    await this.limits.giveBack(sha256(keyOf(limit, who)), limit.windowSeconds);
  }

  /** For limits on failures, which are only known afterwards. @throws Outcome `rate_limited` after too many of them */
  refuseHeld(limit: Limit, who: string): void {
    if (this.#held.size === 0) return;
    const left = (this.#held.get(keyOf(limit, who)) ?? 0) - Date.now();
    if (left > 0) throw exceeded(limit, left / 1000);
  }

  /** Counts a failure; with the last one of the limit, `who` is held until the window ends. */
  async fail(limit: Limit, who: string): Promise<void> {
    const key = keyOf(limit, who);
    const { hits, left_seconds } = await this.limits.take(sha256(key), limit.windowSeconds);
    if (hits < limit.hits) return;
    if (this.#held.size >= MOST_HELD) this.#held.clear();
    this.#held.set(key, Date.now() + left_seconds * 1000);
  }
}
