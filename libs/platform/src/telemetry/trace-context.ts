/** A position in a trace, from `traceparent` and `tracestate` (W3C Trace Context, Level 1). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the parent span. */
  readonly spanId: string;
  /** Bit 0: sampled. */
  readonly flags: number;
  /** `tracestate`, unchanged. */
  readonly state: string | undefined;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const STATE_LIMIT = 512;

/**
 * Parses `traceparent` (§3.2) and keeps `tracestate` (§3.3) unchanged. An invalid header counts as absent, as the
 * standard requires. Higher versions are parsed as version 00.
 */
export function parseTrace(parent: unknown, state: unknown): TraceContext | undefined {
  if (typeof parent !== 'string') return undefined;
  const match = TRACEPARENT.exec(parent);
  if (match === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  const kept = typeof state === 'string' && state !== '' && state.length <= STATE_LIMIT ? state : undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16), state: kept };
}

export function formatTraceparent(trace: TraceContext): string {
  return `00-${trace.traceId}-${trace.spanId}-${(trace.flags & 1) === 1 ? '01' : '00'}`;
}
