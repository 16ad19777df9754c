import type { ServerResponse } from 'node:http';
import { SpanStatusCode } from '@opentelemetry/api';
import type { Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage } from '../telemetry/error-message.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { loggedPath } from '../telemetry/logged-path.js';
import type { Logger } from '../process/logger.js';
import type { MetricsRegistry } from '../telemetry/metrics.js';
import { apiErrorOf } from './problem.filter.js';
import { continuesTrace } from '../telemetry/callers-trace.js';
import type { CallersTraceOptions } from '../telemetry/callers-trace.js';
import { drainsBody } from './drain-body.js';
import { makeExecution, runIn } from '../telemetry/request-context.js';
import { parseTrace } from '../telemetry/trace-context.js';
import { startServerSpan } from '../telemetry/tracing.js';
import { untrustedProxyWarning } from './untrusted-proxy.js';

const SLOW_SECONDS = 1;
/** Status in metrics and logs of a request whose client disconnected (nginx's convention). */
const CLIENT_CLOSED = 499;

export interface RequestHookOptions {
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly lifecycle: Lifecycle;
  readonly traces: CallersTraceOptions;
}

/**
 * Adds request context, response headers, span, metric and log line by one hook and one listener. Fastify keeps the
 * context while a body is read.
 */
export function addRequestHooks(instance: FastifyInstance, options: RequestHookOptions): void {
  const { stopping } = options.lifecycle;
  const warnOfUntrustedProxy = untrustedProxyWarning(options.logger);
  instance.addHook('onRequest', (request, reply, done) => {
    const { headers } = request;
    const remote = parseTrace(headers.traceparent, headers['tracestate']);
    const isContinued = continuesTrace(request, options.traces);
    const { span, position } = startServerSpan(remote, isContinued, request.method);
    const execution = { ...makeExecution(request.id, position), isForeign: !isContinued };
    const callerTrace = position?.traceId === remote?.traceId ? undefined : remote?.traceId;
    const start = performance.now();
    // On the raw response, so that responses written past Fastify have it too.
    reply.raw.setHeader('x-request-id', request.id);
    reply.raw.setHeader('x-content-type-options', 'nosniff');
    if (stopping.aborted) endConnectionAfter(reply.raw);
    // "close" follows every end: response sent, hijacked, or client disconnected.
    reply.raw.once('close', () =>
      runIn(execution, () => requestEnded(request, reply, start, { span, callerTrace }, options)),
    );
    warnOfUntrustedProxy(request);
    runIn(execution, done);
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    // For requests that arrived before.
    if (stopping.aborted) endConnectionAfter(reply.raw);
    else if (reply.hasHeader('connection') && drainsBody(request)) void reply.removeHeader('connection');
    done(null, payload);
  });
}

/** While draining: makes a keep-alive client connect to another replica. */
function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

function requestEnded(
  request: FastifyRequest,
  reply: FastifyReply,
  start: number,
  { span, callerTrace }: { readonly span: Span | undefined; readonly callerTrace: string | undefined },
  { logger, metrics }: RequestHookOptions,
): void {
  const seconds = (performance.now() - start) / 1_000;
  const status = reply.raw.writableFinished ? reply.raw.statusCode : CLIENT_CLOSED;
  const route = request.routeOptions?.url ?? 'unmatched';
  metrics.requestEnded(request.method, route, status, seconds);
  if (span !== undefined) {
    span.updateName(`${request.method} ${route}`);
    span.setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': status,
      'server.address': request.host,
    });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
  const apiError = apiErrorOf(request);
  const level = status >= 500 || seconds >= SLOW_SECONDS ? 'info' : 'debug';
  if (!logger.isLevelEnabled(level)) return;
  logger[level](
    {
      method: request.method,
      route,
      path: loggedPath(request),
      host: request.host,
      status,
      duration_ms: Math.round(seconds * 1_000),
      ...(apiError === undefined ? {} : { outcome: apiError.code }),
      // No stack trace per request during an outage.
      ...(status >= 500 && apiError?.cause !== undefined ? { reason: errorMessage(apiError.cause) } : {}),
      remote_address: request.ip,
      ...(callerTrace === undefined ? {} : { caller_trace_id: callerTrace }),
    },
    'request',
  );
}
