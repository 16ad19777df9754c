import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, createTraceState, trace } from '@opentelemetry/api';
import type { Attributes, Context, Link, Span, SpanContext, SpanOptions, Tracer } from '@opentelemetry/api';
import type { IdGenerator } from '@opentelemetry/sdk-trace';
import { unsampled } from './callers-trace.js';
import { acceptRequestId, currentExecution, makeExecution, runIn } from './request-context.js';
import { formatTraceparent, parseTrace } from './trace-context.js';
import type { TraceContext } from './trace-context.js';

/** One process is one service, so it has one recorder. Undefined while tracing is off: no span is created then. */
let recorder: Recorder | undefined;

interface Recorder {
  readonly tracer: Tracer;
  readonly ids: IdGenerator;
  /** The share of traces that begin here and are recorded, 0 to 1. */
  readonly ratio: number;
}

interface Started {
  /** Undefined in a trace that is not recorded. The caller ends the span. */
  readonly span?: Span | undefined;
  /** For logs and other services. Undefined while tracing is off and the caller has no trace. */
  readonly position: TraceContext | undefined;
}

/** Time after which an ended span is exported. The SDK of this version reads no `OTEL_BSP_SCHEDULE_DELAY`. */
const EXPORT_MS = 1_000;

export interface TracingOptions {
  /** Base URL of an OTLP/HTTP collector; `/v1/traces` is appended. */
  readonly endpoint: string;
  readonly service: string;
  /** The share of traces that begin here and are recorded, 0 to 1. */
  readonly ratio: number;
}

/** Starts recording and exporting spans. Loads the SDK lazily, so that it costs nothing without a collector. */
export async function startTracing(options: TracingOptions): Promise<{ stop(): Promise<void> }> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: 5_000,
  });
  const provider = new sdk.TracerProvider({
    // `start` decides, because the SDK takes four times as long for a span without a recording.
    sampler: new sdk.AlwaysOnSampler(),
    resource: resourceFromAttributes({ 'service.name': options.service, 'service.namespace': 'lyceum' }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_MS })],
  });
  recorder = { tracer: provider.getTracer('lyceum'), ids: new sdk.RandomIdGenerator(), ratio: options.ratio };
  return {
    async stop() {
      recorder = undefined;
      await provider.shutdown();
    },
  };
}

/** Starts a span if its trace is recorded. The service where a trace begins decides that for all services. */
function start(name: string, options: SpanOptions, parent: TraceContext | undefined): Started {
  if (recorder === undefined) return { position: parent };
  const { tracer, ids, ratio } = recorder;
  if (parent === undefined && Math.random() >= ratio) {
    const position = { traceId: ids.generateTraceId(), spanId: ids.generateSpanId(), flags: 0, state: undefined };
    return { position };
  }
  if (parent !== undefined && !isSampled(parent)) return { position: parent };
  const span = tracer.startSpan(name, options, parentOf(parent));
  return { span, position: positionOf(span) };
}

/**
 * Runs `fn` in a child span. The span ends with the promise, as an error when it rejects. In a trace that is not
 * recorded it only calls `fn`.
 */
export function withSpan<T>(
  name: string,
  attributes: Attributes,
  fn: () => Promise<T>,
  links: Link[] = [],
): Promise<T> {
  const execution = currentExecution();
  const { span, position } = start(name, { attributes, links }, execution?.trace);
  if (position === execution?.trace) return fn();
  const requestId = execution?.request.requestId ?? acceptRequestId(undefined);
  const { actor, reader, isForeign = false } = execution ?? {};
  const below = { ...makeExecution(requestId, position, execution?.signal), actor, reader, isForeign };
  return runIn(below, () => settle(span, fn));
}

/** Writes `traceparent` and `tracestate` of the current span. */
export function injectTrace(carrier: Record<string, string>): void {
  const position = currentExecution()?.trace;
  if (position === undefined) return;
  carrier['traceparent'] = formatTraceparent(position);
  if (position.state !== undefined) carrier['tracestate'] = position.state;
}

/**
 * Continues the trace and request id of a carrier (`traceparent`, `tracestate`, `x-request-id`, case-insensitive) in
 * `fn`: logs and outgoing requests have its ids, and tracing adds a consumer span.
 */
export function runInTrace<T>(
  carrier: Readonly<Record<string, string | undefined>>,
  name: string,
  fn: () => Promise<T>,
): Promise<T> {
  const remote = parseTrace(field(carrier, 'traceparent'), field(carrier, 'tracestate'));
  const requestId = acceptRequestId(field(carrier, 'x-request-id'));
  const { span, position } = start(name, { kind: SpanKind.CONSUMER }, remote);
  return runIn(makeExecution(requestId, position), () => settle(span, fn));
}

/** Like `runInTrace`, for trace context in the body of a request: it counts as in the headers. */
export function runInCallersTrace<T>(
  carrier: Readonly<Record<string, string | undefined>>,
  name: string,
  fn: () => Promise<T>,
): Promise<T> {
  if (currentExecution()?.isForeign !== true) return runInTrace(carrier, name, fn);
  const remote = parseTrace(field(carrier, 'traceparent'), field(carrier, 'tracestate'));
  return withSpan(name, {}, fn, linksTo(remote));
}

/** Starts a span for an incoming request. It is below `remote`, or begins a trace with a link to it. */
export function startServerSpan(remote: TraceContext | undefined, isContinued: boolean, method: string): Started {
  const links = isContinued ? [] : linksTo(remote);
  const { span, position } = start(method, { kind: SpanKind.SERVER, links }, isContinued ? remote : undefined);
  return { span, position: position ?? unsampled(remote) };
}

/** True when the running work belongs to a recorded trace. */
export function isRecording(): boolean {
  return recorder !== undefined && isSampled(currentExecution()?.trace);
}

/** A client span below the running one; undefined unless `isRecording`. The caller ends it. */
export function startClientSpan(name: string, attributes: Attributes): Span | undefined {
  return start(name, { kind: SpanKind.CLIENT, attributes }, currentExecution()?.trace).span;
}

function isSampled(position: TraceContext | undefined): boolean {
  return ((position?.flags ?? 0) & TraceFlags.SAMPLED) !== 0;
}

function positionOf(span: Span): TraceContext {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  return { traceId, spanId, flags: traceFlags, state: traceState?.serialize() };
}

function parentOf(position: TraceContext | undefined): Context {
  return position === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(position));
}

function linksTo(position: TraceContext | undefined): Link[] {
  return position === undefined ? [] : [{ context: spanContextOf(position) }];
}

function spanContextOf({ traceId, spanId, flags, state }: TraceContext): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  };
}

async function settle<T>(span: Span | undefined, fn: () => Promise<T>): Promise<T> {
  if (span === undefined) return fn();
  try {
    return await fn();
  } catch (error) {
    // The type alone: messages may contain user input.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown' });
    throw error;
  } finally {
    span.end();
  }
}

function field(carrier: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  for (const [key, value] of Object.entries(carrier)) {
    if (key.toLowerCase() === name) return value;
  }
  return undefined;
}
