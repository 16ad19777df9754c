import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FaultWindow } from './faults.ts';

/** A response that a client got. */
export interface SeenCode {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly request: string;
  readonly status: number;
  readonly retryAfter: boolean;
}

/** The failure of a client, when it gave up. */
export interface SeenFailure {
  readonly at: number;
  readonly reason: string;
}

/** Responses that say when to try again. */
const DEFERRING = new Set([429, 503]);
/**
 * The ways in which a fault reaches a client apart from a status: the codes in results of tools and GraphQL,
 * connections and streams that ended with their replica, and tools of a service without a connection.
 */
const EXPLAINABLE =
  /temporarily_unavailable|\b(?:429|503)\b|terminated|other side closed|ECONNRESET|ended without its result|: the tools are /i;

/** Responses other than success, and refusals without a fault that explains them or without Retry-After. */
export function wrongCodes(seen: readonly SeenCode[], windows: readonly FaultWindow[]): SeenCode[] {
  return seen.filter(({ at, status, retryAfter }) => {
    if (status >= 200 && status < 400) return false;
    return !DEFERRING.has(status) || !retryAfter || !isExplained(at, windows);
  });
}

/** Failures that no fault explains. */
export function unexplained(failures: readonly SeenFailure[], windows: readonly FaultWindow[]): SeenFailure[] {
  return failures.filter(({ at, reason }) => !EXPLAINABLE.test(reason) || !isExplained(at, windows));
}

function isExplained(at: number, windows: readonly FaultWindow[]): boolean {
  return windows.some(({ from, to }) => at >= from && at <= to);
}

/** A message of undici's channel. Values of headers are beside their names. */
interface HeadersMessage {
  readonly request: { readonly origin: string; readonly method: string; readonly path: string };
  readonly response: { readonly statusCode: number; readonly headers: readonly Buffer[] };
}

const CHANNEL = 'undici:request:headers';

/** Every response of one origin to this process, whichever client has sent the request. */
export class CodeWatch {
  readonly seen: SeenCode[] = [];
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
    subscribe(CHANNEL, this.#see);
  }

  stop(): void {
    unsubscribe(CHANNEL, this.#see);
  }

  readonly #see = (message: unknown): void => {
    const { request, response } = message as HeadersMessage;
    if (new URL(request.origin).origin !== this.#origin) return;
    const names = response.headers.filter((_text, index) => index % 2 === 0);
    this.seen.push({
      at: Date.now(),
      request: `${request.method} ${request.path.split('?', 1)[0]}`,
      status: response.statusCode,
      retryAfter: names.some((name) => name.toString('latin1').toLowerCase() === 'retry-after'),
    });
  };
}
