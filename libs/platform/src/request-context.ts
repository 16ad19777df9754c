import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from './trace-context.js';
import { uuidv7 } from './uuid.js';

/** The request that the running code works for. */
export interface RequestContext {
  /** `X-Request-Id` of the caller, or a UUIDv7. Goes into logs, problems, and requests to other services. */
  readonly requestId: string;
  /** Trace id (W3C Trace Context §3.2.2.3), when the caller or our tracing gave one. 32 hexadecimal digits. */
  readonly traceId?: string;
}

/** What flows along the asynchronous calls of one piece of work. */
export interface Execution {
  readonly request: RequestContext;
  readonly trace: TraceContext | undefined;
  /** Aborted when nobody waits for the work any more. */
  readonly signal?: AbortSignal | undefined;
}

const storage = new AsyncLocalStorage<Execution>();

/** The request being worked on, or undefined outside of one. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore()?.request;
}

export function currentExecution(): Execution | undefined {
  return storage.getStore();
}

export function runIn<T>(execution: Execution, work: () => T): T {
  return storage.run(execution, work);
}

/** From the abort on, the work that runs in it sends no further statement (`Sql`). */
export function runUntilAborted<T>(signal: AbortSignal, work: () => T): T {
  return runIn({ ...(currentExecution() ?? makeExecution(uuidv7(), undefined)), signal }, work);
}

export function makeExecution(requestId: string, trace: TraceContext | undefined, signal?: AbortSignal): Execution {
  return { request: trace === undefined ? { requestId } : { requestId, traceId: trace.traceId }, trace, signal };
}

/** What the ids of proxies and tracers are made of, and nothing that means something to a page or a shell. */
const REQUEST_ID = /^[\w.:/+=@~-]{1,128}$/;

/** The caller's id when it is 1 to 128 letters, digits or `._:/+=@~-`, else a new one: it is echoed and logged. */
export function acceptRequestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
}
