import { setTimeout as sleep } from 'node:timers/promises';

/** The address of a replica. */
export interface Upstream {
  readonly url: string;
  /** `/readyz` of the replica. */
  readonly readyUrl: string;
}

/** Pause between two probes of a replica. A replica that stops must serve for longer than this. */
export const PROBE_MS = 250;
/** A replica that does not respond within this time is not ready. */
const PROBE_LIMIT_MS = 1_000;

/**
 * The replicas of one service. Follows `/readyz` of each, unless there is only one: then its readiness changes nothing.
 * A replica counts as ready until a probe or a refused connection shows the opposite.
 */
export class Upstreams {
  readonly #all: readonly Upstream[];
  readonly #unready = new Set<Upstream>();
  readonly #closing = new AbortController();
  #turn = 0;

  constructor(all: readonly Upstream[]) {
    if (all.length === 0) throw new Error('A service needs at least one address');
    this.#all = all;
    if (all.length > 1) for (const one of all) void this.#follow(one);
  }

  /** A service with one address. */
  static at(url: string): Upstreams {
    return new Upstreams([{ url, readyUrl: `${url}/readyz` }]);
  }

  get all(): readonly Upstream[] {
    return this.#all;
  }

  /**
   * All replicas, in the order in which a request tries them: the ready ones in turn, then the others. A replica that
   * is not ready can serve as long as it listens, and its own error says more than ours.
   */
  inTurn(): Upstream[] {
    const turn = this.#turn++;
    const ready = this.#all.filter((one) => !this.#unready.has(one));
    return [...rotated(ready, turn), ...rotated([...this.#unready], turn)];
  }

  /** Takes a replica out that refused a connection, until a probe finds it ready. */
  refused(upstream: Upstream): void {
    if (this.#all.length > 1) this.#unready.add(upstream);
  }

  close(): void {
    this.#closing.abort();
  }

  async #follow(upstream: Upstream): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      if (await isReady(upstream, signal)) this.#unready.delete(upstream);
      else this.#unready.add(upstream);
      await sleep(PROBE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

function isReady({ readyUrl }: Upstream, closing: AbortSignal): Promise<boolean> {
  return fetch(readyUrl, { signal: AbortSignal.any([closing, AbortSignal.timeout(PROBE_LIMIT_MS)]) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

function rotated<T>(list: readonly T[], turn: number): T[] {
  const first = turn % Math.max(list.length, 1);
  return [...list.slice(first), ...list.slice(0, first)];
}
