import type { ApiErrorCode } from './codes.js';
import type { FieldError } from './field-error.js';

export interface ApiErrorOptions {
  readonly errors?: readonly FieldError[];
  /** A remedy for the caller in one sentence, which tools show to the model. */
  readonly hint?: string;
  /** Seconds, for `rate_limited` and `temporarily_unavailable`. */
  readonly retryAfter?: number;
  /** Scopes that would have been sufficient, for `insufficient_scope` and `invalid_token`. */
  readonly scopes?: readonly string[];
  /** Response headers of the error, for instance `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error that a caller can cause. The filter of each surface maps it; the message is shown to the caller. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly errors: readonly FieldError[];
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly scopes: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ApiErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.errors = options.errors ?? [];
    this.hint = options.hint;
    this.retryAfter = options.retryAfter;
    this.scopes = options.scopes ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The result of the work, or the error that it throws about the caller. */
export function errorOr<T>(work: () => T): T | ApiError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The results of a list in which none is refused. @throws the first error of the list */
export function valuesOf<T>(results: readonly (T | ApiError)[]): readonly T[] {
  return results.map((one) => {
    if (one instanceof ApiError) throw one;
    return one;
  });
}
