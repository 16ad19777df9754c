import type { Revocation } from '@lyceum/contracts';
import { LIMITS } from './configuration.js';
import { INACTIVE } from './token-introspection.js';
import type { TokenState } from './token-introspection.js';

type ActiveState = Extract<TokenState, { kind: 'active' }>;

type CacheLimits = Readonly<Record<'activeEntries' | 'activeLifetime' | 'inactiveEntries', number>>;

interface ActiveEntry {
  readonly state: ActiveState;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/** Keys of the subjects that a revocation can name. */
function subjectsOf({ principal }: ActiveState): string[] {
  return [
    `grant:${principal.grant_id}`,
    `person:${principal.person_id}`,
    `client:${principal.client_id}`,
    `site:${principal.site_id}`,
  ];
}

/**
 * Introspection results of the last seconds, by SHA-256 of the token. Their number is limited: the oldest is evicted
 * first, because it would expire first. Eviction by last use would move an entry with each request.
 */
export class IntrospectionCache {
  readonly #active = new Map<string, ActiveEntry>();
  readonly #inactive = new Map<string, number>();
  readonly #bySubject = new Map<string, Set<string>>();
  readonly #now: () => number;
  readonly #limits: CacheLimits;

  /** `now` is monotonic: a clock that is set back must not lengthen the lifetime of a result. */
  constructor(now: () => number = () => performance.now(), limits: Partial<CacheLimits> = {}) {
    this.#now = now;
    this.#limits = { ...LIMITS, ...limits };
  }

  get size(): number {
    return this.#active.size + this.#inactive.size;
  }

  get(hash: string): TokenState | undefined {
    const entry = this.#active.get(hash);
    if (entry !== undefined) {
      if (this.#now() >= entry.until) {
        this.#drop(hash, entry.state);
        return undefined;
      }
      return entry.state;
    }
    const until = this.#inactive.get(hash);
    if (until === undefined) return undefined;
    if (this.#now() < until) return INACTIVE;
    this.#inactive.delete(hash);
    return undefined;
  }

  /**
   * Keeps a result until the token expires (`exp`), at most `activeLifetime` if active and a second if not. The
   * age of an active result includes `took`, the milliseconds of its introspection, in which the token may have been
   * revoked.
   */
  put(hash: string, state: TokenState, wallClock: number = Date.now(), took = 0): void {
    if (state.kind === 'inactive') {
      this.#inactive.set(hash, this.#now() + LIMITS.inactiveLifetime);
      evict(this.#inactive, this.#limits.inactiveEntries, (oldest) => this.#inactive.delete(oldest));
      return;
    }
    const lifetime = Math.min(this.#limits.activeLifetime - took, state.principal.expires_at * 1000 - wallClock);
    if (lifetime <= 0) return;
    this.#inactive.delete(hash);
    const previous = this.#active.get(hash);
    if (previous !== undefined) this.#drop(hash, previous.state);
    this.#active.set(hash, { state, until: this.#now() + lifetime });
    for (const subject of subjectsOf(state)) {
      const hashes = this.#bySubject.get(subject);
      if (hashes === undefined) this.#bySubject.set(subject, new Set([hash]));
      else hashes.add(hash);
    }
    evict(this.#active, this.#limits.activeEntries, (oldest, entry) => this.#drop(oldest, entry.state));
  }

  /** Drops every result that the revocation names. */
  revoke(revocation: Pick<Revocation, 'kind' | 'subject' | 'site_id'>): void {
    const hashes = this.#bySubject.get(`${revocation.kind}:${revocation.subject}`);
    for (const hash of hashes ?? []) {
      const entry = this.#active.get(hash);
      if (entry === undefined) continue;
      if (revocation.site_id === null || revocation.site_id === entry.state.principal.site_id)
        this.#drop(hash, entry.state);
    }
  }

  clear(): void {
    this.#active.clear();
    this.#inactive.clear();
    this.#bySubject.clear();
  }

  #drop(hash: string, state: ActiveState): void {
    this.#active.delete(hash);
    for (const subject of subjectsOf(state)) {
      const hashes = this.#bySubject.get(subject);
      hashes?.delete(hash);
      if (hashes?.size === 0) this.#bySubject.delete(subject);
    }
  }
}

/** A Map iterates in insertion order, so the first key is the oldest. */
function evict<V>(entries: Map<string, V>, limit: number, drop: (key: string, value: V) => void): void {
  for (const [key, value] of entries) {
    if (entries.size <= limit) return;
    drop(key, value);
  }
}
