/**
 * Outcomes: the ends of a request that a caller can bring about and must be able to tell apart. The union is closed;
 * each surface maps it once by a `Record<OutcomeCode, …>`, so a new code does not compile until every surface knows it.
 * Everything that is no `Outcome` is a fault: logged with its cause, shown as `internal`.
 */
export const OUTCOME_CODES = [
  'invalid_request',
  'unknown_parameter',
  'invalid_cursor',
  'validation_failed',
  'invalid_token',
  'insufficient_scope',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'already_exists',
  'invalid_state',
  'resource_in_use',
  'idempotency_in_progress',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'unknown_host',
  'idempotency_key_reused',
  'precondition_required',
  'rate_limited',
  'temporarily_unavailable',
  'internal',
] as const;
export type OutcomeCode = (typeof OUTCOME_CODES)[number];

/** One fault of the input. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) into the body, or the parameter's name for a query parameter. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface OutcomeOptions {
  readonly errors?: readonly FieldError[];
  /** What the caller can do about it, in one sentence (tools show it to the model). */
  readonly hint?: string;
  /** Seconds, for `rate_limited` and `temporarily_unavailable`. */
  readonly retryAfter?: number;
  /** Scopes that would have been enough, for `insufficient_scope` and `invalid_token`. */
  readonly scopes?: readonly string[];
  /** Response headers that belong to the outcome, for instance `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown anywhere below an edge; the edge's filter maps it. The message is shown to the caller. */
export class Outcome extends Error {
  readonly code: OutcomeCode;
  readonly errors: readonly FieldError[];
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly scopes: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: OutcomeCode, detail: string, options: OutcomeOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Outcome';
    this.code = code;
    this.errors = options.errors ?? [];
    this.hint = options.hint;
    this.retryAfter = options.retryAfter;
    this.scopes = options.scopes ?? [];
    this.headers = options.headers ?? {};
  }
}

export function isOutcomeCode(value: string): value is OutcomeCode {
  return (OUTCOME_CODES as readonly string[]).includes(value);
}
