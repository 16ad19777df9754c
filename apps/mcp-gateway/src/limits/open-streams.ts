import { ApiError } from '@lyceum/errors';

/** Streams of `subscriptions/listen` that are open at one time, in one replica. */
export const STREAMS = { perCaller: 8, perReplica: 1_000 } as const;

/** Each stream costs a connection for as long as its client likes: so few for each caller, and a bound for all. */
export class OpenStreams {
  readonly #byCaller = new Map<string, number>();
  #all = 0;

  /** Counts one more until the function that it returns is called; refuses (429) what is too much. */
  open(caller: string): () => void {
    const open = this.#byCaller.get(caller) ?? 0;
    if (open >= STREAMS.perCaller) throw refusal(`At most ${STREAMS.perCaller} subscriptions are open at a time`);
    if (this.#all >= STREAMS.perReplica) throw refusal('There are too many subscriptions at the moment');
    this.#byCaller.set(caller, open + 1);
    this.#all += 1;
    let closed = false;
    return () => {
      if (closed) return;
      closed = true;
      this.#all -= 1;
      const left = (this.#byCaller.get(caller) ?? 1) - 1;
      if (left > 0) this.#byCaller.set(caller, left);
      else this.#byCaller.delete(caller);
    };
  }
}

/** Streams last long, so coming back at once is of no use. */
function refusal(detail: string): ApiError {
  return new ApiError('rate_limited', detail, { retryAfter: 60 });
}
