import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from './trace-context.js';
import { uuidv7 } from './uuid.js';

/** The request that the running code works for. */
export interface RequestContext {
  /** `X-Request-Id` of the caller, or a UUIDv7. Sent to logs, problems and other services. */
  readonly requestId: string;
  /** Trace id (W3C Trace Context §3.2.2.3) of the caller or of this process. 32 hexadecimal digits. */
  readonly traceId?: string;
}

/** The identity behind the changes of the running code. */
export interface Actor {
  /** The site at which the member acts; null for commands and for requests without a site. */
  readonly site_id: string | null;
  /** Null for an anonymous visitor, and for commands. */
  readonly member_id: string | null;
  readonly client_id: string | null;
  readonly via: 'rest' | 'tool' | 'graphql' | 'page' | 'command';
}

/**
 * The person who reads the response, as far as it is known. Languages are BCP 47 tags. `@lyceum/messages` chooses the
 * language of the texts from it.
 */
export interface Reader {
  /** Requested for this page, the preferred one first. */
  readonly requested?: readonly string[];
  readonly person?: string | null;
  readonly site?: string | null;
  /** The header `Accept-Language`. */
  readonly accepted?: string | undefined;
  /** A name of the IANA time zone database. */
  readonly timezone?: string | null;
  /** The header `User-Agent` of a request for a page. */
  readonly userAgent?: string | undefined;
}

/** The asynchronous context of one piece of work. */
export interface Execution {
  readonly request: RequestContext;
  readonly trace: TraceContext | undefined;
  /** True for a request of a stranger, whose trace context is not continued. */
  readonly isForeign?: boolean;
  /** Aborted when the result is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  /** Set by a guard once the caller is authenticated, because a guard cannot start a new context. */
  actor?: Actor | undefined;
  /** Shared with the executions inside of this one. */
  reader?: { current: Reader } | undefined;
  /** Time zone of the site, known for a request with a date in its input. */
  timeZone?: string | undefined;
}

const storage = new AsyncLocalStorage<Execution>();

/** The current request; undefined outside of a request. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore()?.request;
}

export function currentExecution(): Execution | undefined {
  return storage.getStore();
}

/** Undefined for system work: consumers, periodic tasks. */
export function currentActor(): Actor | undefined {
  return storage.getStore()?.actor;
}

/** Sets the actor of the current request. Call it only where a caller is authenticated. */
export function actAs(actor: Actor): void {
  const execution = storage.getStore();
  if (execution === undefined) throw new Error('An actor needs a request');
  execution.actor = actor;
}

/** Undefined outside of a request, and in requests of programs. */
export function currentReader(): Reader | undefined {
  return storage.getStore()?.reader?.current;
}

/** Adds what is known about the reader of the current request. */
export function readAs(known: Reader): void {
  const execution = storage.getStore();
  if (execution === undefined) return;
  if (execution.reader === undefined) execution.reader = { current: known };
  else execution.reader.current = { ...execution.reader.current, ...known };
}

/** Runs work whose texts another person reads, such as a mail. */
export function runForReader<T>(reader: Reader, work: () => T): T {
  const execution = currentExecution() ?? makeExecution(uuidv7(), undefined);
  return runIn({ ...execution, reader: { current: reader } }, work);
}

export function runIn<T>(execution: Execution, work: () => T): T {
  return storage.run(execution, work);
}

/** Runs the work; after the abort it sends no further statement (`Sql`). */
export function runUntilAborted<T>(signal: AbortSignal, work: () => T): T {
  return runIn({ ...(currentExecution() ?? makeExecution(uuidv7(), undefined)), signal }, work);
}

export function makeExecution(requestId: string, trace: TraceContext | undefined, signal?: AbortSignal): Execution {
  return { request: trace === undefined ? { requestId } : { requestId, traceId: trace.traceId }, trace, signal };
}

/** Runs a subcommand, whose changes belong to the person at the console. */
export function runAsCommand<T>(work: () => T): T {
  const actor: Actor = { site_id: null, member_id: null, client_id: null, via: 'command' };
  return runIn({ ...makeExecution(uuidv7(), undefined), actor }, work);
}

/** Runs a part of a job on behalf of the actor of its request. `jobId` is the request id of its changes. */
export function runForActor<T>(actor: Actor, jobId: string, work: () => T): T {
  return runIn({ ...makeExecution(jobId, undefined), actor }, work);
}

/** Characters of proxies' and tracers' ids, none with a meaning in HTML or a shell. */
const REQUEST_ID = /^[\w.:/+=@~-]{1,128}$/;

/** The caller's id if it has 1 to 128 letters, digits or `._:/+=@~-`, else a new one: it is echoed and logged. */
export function acceptRequestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
}
