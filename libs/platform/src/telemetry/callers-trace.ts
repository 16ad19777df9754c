import type { FastifyRequest } from 'fastify';
import { currentExecution } from './request-context.js';
import type { TraceContext } from './trace-context.js';

/** Use of a `traceparent` from outside: its trace goes on here, or a new trace only links to it. */
export const TRACES_OF_CALLERS = ['link', 'continue'] as const;

export interface CallersTraceOptions {
  readonly ofCallers: (typeof TRACES_OF_CALLERS)[number];
  readonly hasProxies: boolean;
}

/**
 * Whether the trace in the headers of a request is continued. Those of our own services always are: they come from this
 * process, or past the proxies, which add X-Forwarded-For to all other requests. Without trusted proxies any peer can
 * be a stranger.
 */
export function continuesTrace({ headers }: FastifyRequest, { ofCallers, hasProxies }: CallersTraceOptions): boolean {
  if (ofCallers === 'continue' || currentExecution() !== undefined) return true;
  return hasProxies && headers['x-forwarded-for'] === undefined;
}

/** The trace of a stranger for the log and other services. The caller does not decide that they record it. */
export function unsampled(trace: TraceContext | undefined): TraceContext | undefined {
  return trace === undefined ? undefined : { ...trace, flags: 0, state: undefined };
}
