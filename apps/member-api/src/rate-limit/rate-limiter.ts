import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { isDatabaseUnavailable } from '@lyceum/platform';
import { RateLimitRepository, WINDOW_SECONDS } from './rate-limit.repository.js';
import type { Window } from './rate-limit.repository.js';

/** Between two reports of what was spent here. */
const REPORT_MS = 100;
const SWEEP_MS = 60_000;
/** Tokens remembered; beyond it, those that spent least recently are forgotten, and PostgreSQL is asked again. */
const TOKENS = 50_000;
/** This share of the limit is given without asking anybody. */
const UNASKED = 0.5;
/** Clocks and round trips blur the end of a window by less than this. */
const BLUR_MS = 1_000;

/** What this replica knows of a token. */
interface Account {
  /** Spent by all replicas, as of the last word from PostgreSQL. */
  reported: number;
  /** Spent here since, and not reported yet. */
  pending: number;
  /** Spent here and on its way to PostgreSQL. */
  underway: number;
  /** False until PostgreSQL has said what the other replicas know. */
  known: boolean;
  /** Monotonic milliseconds: the end of the window. */
  until: number;
}

/** Injectable settings. */
export class RateLimit {
  constructor(readonly pointsPerMinute: number) {}
}

/**
 * So many cost points a minute for each token, shared by all replicas. The first operation of a token in its minute takes
 * its points in PostgreSQL, which says what was spent elsewhere; after that half of the limit is given at once and told to
 * PostgreSQL in batches, which costs a request nothing; beyond it every operation takes its points in PostgreSQL, which is
 * exact. So a burst within a tenth of a second can take half a limit too much for each replica beyond two.
 * An operation runs while points are left, also when it costs more than these. Whatever went beyond the limit is taken
 * from the minutes that follow.
 */
@Injectable()
export class RateLimiter implements OnApplicationShutdown {
  readonly #logger = new Logger(RateLimiter.name);
  readonly #accounts = new Map<string, Account>();
  readonly #spenders = new Set<string>();
  #report: NodeJS.Timeout | undefined;
  #swept = performance.now();

  constructor(
    private readonly windows: RateLimitRepository,
    private readonly limit: RateLimit,
  ) {}

  get points(): number {
    return this.limit.pointsPerMinute;
  }

  /**
   * Takes the points of an operation and says how many are left; a promise only when PostgreSQL has to be asked.
   *
   * @throws Outcome `rate_limited`
   */
  spend({ token_fingerprint: token }: Principal, cost: number): number | Promise<number> {
    const account = this.#account(token);
    const spent = account.reported + account.underway + account.pending;
    if (spent >= this.points) throw this.#refusal(account);
    if (!account.known || spent + cost > this.points * UNASKED) return this.#take(token, account, cost);
    account.pending += cost;
    this.#spenders.add(token);
    this.#report ??= setTimeout(() => void this.#reportAll(), REPORT_MS).unref();
    return this.points - spent - cost;
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.#report);
    await this.#reportAll();
  }

  /** Exact: what is pending here is reported first, and counts. */
  async #take(token: string, account: Account, cost: number): Promise<number> {
    await this.#reportThese([{ token, account }]);
    account.underway += cost;
    try {
      const window = await this.windows.take(token, cost, this.points);
      if (window !== undefined) {
        learn(account, window);
        return Math.max(0, this.points - window.spent);
      }
    } finally {
      account.underway -= cost;
    }
    const full = await this.windows.read(token);
    if (full !== undefined) learn(account, full);
    throw this.#refusal(account);
  }

  #refusal({ until }: Account): Outcome {
    const retryAfter = Math.max(1, Math.ceil((until - performance.now()) / 1000));
    return new Outcome('rate_limited', `This token has used its ${this.points} points of this minute`, { retryAfter });
  }

  #account(token: string): Account {
    const now = performance.now();
    const known = this.#accounts.get(token);
    if (known !== undefined && now < known.until) return known;
    // Re-inserted, so that the map is in the order of windows.
    this.#accounts.delete(token);
    const account = {
      reported: 0,
      pending: known?.pending ?? 0,
      underway: 0,
      known: false,
      until: now + WINDOW_SECONDS * 1000,
    };
    this.#accounts.set(token, account);
    if (this.#accounts.size > TOKENS) this.#accounts.delete(this.#accounts.keys().next().value ?? '');
    return account;
  }

  async #reportAll(): Promise<void> {
    this.#report = undefined;
    const spenders = [...this.#spenders];
    this.#spenders.clear();
    try {
      await this.#reportThese(
        spenders.flatMap((token) => {
          const account = this.#accounts.get(token);
          return account === undefined ? [] : [{ token, account }];
        }),
      );
      await this.#sweepSometimes();
    } catch (error) {
      // They stay pending. Readiness tells that the database is away.
      if (isDatabaseUnavailable(error)) return;
      this.#logger.warn({ msg: 'points were not shared with the other replicas', err: error });
    }
  }

  /** Points that could not be reported stay pending. */
  async #reportThese(spenders: readonly { token: string; account: Account }[]): Promise<void> {
    const spent = spenders.flatMap(({ token, account }) =>
      account.pending === 0 ? [] : [{ token, account, points: account.pending }],
    );
    if (spent.length === 0) return;
    for (const { account, points } of spent) move(account, points);
    try {
      const windows = new Map((await this.windows.add(spent, this.points)).map((window) => [window.token, window]));
      for (const { token, account, points } of spent) {
        account.underway -= points;
        const window = windows.get(token);
        if (window !== undefined) learn(account, window);
      }
    } catch (error) {
      for (const { account, points } of spent) move(account, -points);
      throw error;
    }
  }

  async #sweepSometimes(): Promise<void> {
    if (performance.now() - this.#swept < SWEEP_MS) return;
    this.#swept = performance.now();
    await this.windows.sweep();
  }
}

function move(account: Account, points: number): void {
  account.pending -= points;
  account.underway += points;
}

/** Answers may overtake each other, so within one window only the highest counts. */
function learn(account: Account, { spent, ms_left }: Window): void {
  const until = performance.now() + ms_left;
  account.reported = until > account.until + BLUR_MS ? spent : Math.max(account.reported, spent);
  account.until = until;
  account.known = true;
}
