import { ApiError } from '@lyceum/errors';

/** Concurrent `subscriptions/listen` streams in one replica. */
export const STREAMS = { perCaller: 8, perReplica: 1_000 } as const;

/** Each stream occupies a connection for an unlimited time, so both the caller and the replica have a limit. */
export class OpenStreams {
  readonly #byCaller = new Map<string, number>();
  #all = 0;

  /** Counts a stream until the returned function is called; throws 429 above the limit. */
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

/** Streams last long, so an immediate retry is useless. */
function refusal(detail: string): ApiError {
  return new ApiError('rate_limited', detail, { retryAfter: 60 });
}
