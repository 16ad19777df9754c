import { REQUEST_HEADERS, principalSchema } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { currentRequest, injectTrace, uuidv7 } from '@lyceum/platform';
import { headers } from '@nats-io/transport-node';
import type { MsgHdrs } from '@nats-io/transport-node';
import { z } from 'zod';
import { LIMITS } from './limits.js';

/** Control data of every request. */
export interface RequestMetadata {
  /** Milliseconds since the epoch; the caller stops waiting then. */
  readonly deadline: number;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
}

/** The caller of a request. */
export interface Caller {
  readonly site_id: string;
  readonly principal: Principal | null;
}

/** The caller of a request, and the controls of this one request. */
export interface HandlerContext extends Caller, RequestMetadata {
  /** Aborted when the caller disconnects, and at the deadline. */
  readonly signal: AbortSignal;
  /** Reports progress if the caller subscribed to it. A value that does not grow is not sent. */
  readonly progress: (done: number, total?: number, message?: string) => void;
}

export interface CallHeaders {
  readonly site_id: string;
  readonly principal?: Principal | null | undefined;
  readonly deadline: number;
  readonly idempotencyKey?: string | undefined;
  /** Identifies the request for a cancellation. */
  readonly call?: string | undefined;
  /** True when the caller subscribed to progress. */
  readonly progress?: boolean | undefined;
}

const TRACE_HEADERS = ['traceparent', 'tracestate'] as const;
const siteId = z.uuid();
const accountSchema = z.object({ acc: z.string() });

export function writeHeaders(call: CallHeaders): MsgHdrs {
  const written = headers();
  written.set(REQUEST_HEADERS.site, call.site_id);
  written.set(REQUEST_HEADERS.deadline, String(call.deadline));
  if (call.principal) written.set(REQUEST_HEADERS.principal, JSON.stringify(call.principal));
  if (call.idempotencyKey !== undefined) written.set(REQUEST_HEADERS.idempotencyKey, call.idempotencyKey);
  if (call.call !== undefined) written.set(REQUEST_HEADERS.call, call.call);
  if (call.progress === true) written.set(REQUEST_HEADERS.progress, 'wanted');
  written.set(REQUEST_HEADERS.requestId, currentRequest()?.requestId ?? uuidv7());
  writeTrace(written);
  return written;
}

/** Adds the trace context of the running span. */
export function writeTrace(written: MsgHdrs): void {
  const carrier: Record<string, string> = {};
  injectTrace(carrier);
  for (const [name, value] of Object.entries(carrier)) written.set(name, value);
}

/** Trace context and request id for `runInTrace`. */
export function readTrace(read: MsgHdrs | undefined): Record<string, string | undefined> {
  const carrier: Record<string, string | undefined> = {};
  for (const name of [...TRACE_HEADERS, REQUEST_HEADERS.requestId]) carrier[name] = value(read, name);
  return carrier;
}

/** @throws `invalid_request` for a malformed header. */
export function readMetadata(read: MsgHdrs | undefined): RequestMetadata {
  const deadline = Number(value(read, REQUEST_HEADERS.deadline) ?? Date.now() + LIMITS.requestTimeout);
  if (!Number.isFinite(deadline)) {
    throw new ApiError('invalid_request', `The header ${REQUEST_HEADERS.deadline} is no time.`);
  }
  return {
    deadline,
    idempotencyKey: value(read, REQUEST_HEADERS.idempotencyKey),
    requestId: currentRequest()?.requestId ?? value(read, REQUEST_HEADERS.requestId) ?? uuidv7(),
  };
}

/**
 * The principal is read from a signed request only: without a signature any sender could have written it.
 *
 * @throws `invalid_request` for a malformed header.
 */
export function readCaller(read: MsgHdrs | undefined, signed: boolean): Caller {
  const site = siteId.safeParse(value(read, REQUEST_HEADERS.site));
  if (!site.success) throw new ApiError('invalid_request', `The header ${REQUEST_HEADERS.site} is missing or no id.`);
  return { site_id: site.data, principal: signed ? readPrincipal(value(read, REQUEST_HEADERS.principal)) : null };
}

function readPrincipal(text: string | undefined): Principal | null {
  if (text === undefined) return null;
  try {
    return principalSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ApiError('invalid_request', `The header ${REQUEST_HEADERS.principal} is not a principal.`, { cause });
  }
}

export function readCall(read: MsgHdrs | undefined): { call: string | undefined; wantsProgress: boolean } {
  return {
    call: value(read, REQUEST_HEADERS.call),
    wantsProgress: value(read, REQUEST_HEADERS.progress) !== undefined,
  };
}

/** The account of the sender, as the server reports it; undefined for a request of this service itself. */
export function readAccount(read: MsgHdrs | undefined): string | undefined {
  const info = value(read, 'Nats-Request-Info');
  if (info === undefined) return undefined;
  try {
    return accountSchema.parse(JSON.parse(info)).acc;
  } catch {
    return undefined;
  }
}

function value(read: MsgHdrs | undefined, name: string): string | undefined {
  const found = read?.get(name);
  return found === undefined || found === '' ? undefined : found;
}
