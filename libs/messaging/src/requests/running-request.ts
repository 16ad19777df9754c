import { MAX_PROGRESS, REQUEST_HEADERS } from '@lyceum/contracts';
import type { Progress } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { InFlight } from '@lyceum/platform';
import { headers } from '@nats-io/transport-node';
import { readCall } from '../connection/message-headers.js';
import type { RequestMetadata } from '../connection/message-headers.js';

interface Request {
  readonly headers?: Parameters<typeof readCall>[0];
  respond(data: string, options: { headers: ReturnType<typeof headers> }): boolean;
}

/** A request from its arrival to its reply: queued or running. */
export interface RunningRequest {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Aborts the request at the deadline. */
  expireAt(deadline: RequestMetadata['deadline']): void;
  end(): void;
}

/** The requests of this process, by their ids, for cancellation. */
export class RunningRequests {
  readonly #cancelable = new InFlight<AbortController>();

  open(message: Request): RunningRequest {
    const { call, wantsProgress } = readCall(message.headers);
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    if (call !== undefined) this.#cancelable.add(call, abort);
    return {
      signal: abort.signal,
      progress: wantsProgress ? progressOf(message, abort.signal) : () => undefined,
      expireAt: (deadline) => {
        timer = setTimeout(() => abort.abort(gone('The deadline has passed.')), deadline - Date.now()).unref();
      },
      end: () => {
        clearTimeout(timer);
        if (call !== undefined) this.#cancelable.remove(call);
      },
    };
  }

  /** A no-op for a finished request or one of another instance. */
  cancel(call: string): void {
    this.#cancelable.get(call)?.abort(gone('The caller has gone away.'));
  }
}

function gone(detail: string): ApiError {
  return new ApiError('temporarily_unavailable', detail);
}

function progressOf(message: Request, signal: AbortSignal): RunningRequest['progress'] {
  let last = Number.NEGATIVE_INFINITY;
  let sent = 0;
  return (done, total, text) => {
    if (signal.aborted || !(done > last) || sent >= MAX_PROGRESS) return;
    last = done;
    sent += 1;
    const progress: Progress = {
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(text === undefined ? {} : { message: text }),
    };
    const written = headers();
    written.set(REQUEST_HEADERS.progress, 'made');
    message.respond(JSON.stringify(progress), { headers: written });
  };
}
