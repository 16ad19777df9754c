import { HeaderMap } from '@apollo/server';
import { ERROR_CODES, PROBLEMS, graphqlCode } from '@lyceum/errors';
import type { FieldError, GraphqlCode, ApiError } from '@lyceum/errors';
import { GraphQLError } from 'graphql';
import type { GraphQLErrorExtensions, GraphQLFormattedError } from 'graphql';

/**
 * Maps the code of an error of graphql-js, Apollo or `codedError` to the closed list. Apollo's `BAD_USER_INPUT` and
 * `BAD_REQUEST` have other names there. Any other error is unexpected.
 */
const SHOWN: ReadonlyMap<unknown, GraphqlCode> = new Map<string, GraphqlCode>([
  ...ERROR_CODES.filter((code) => code !== 'internal').map((code) => [graphqlCode(code), graphqlCode(code)] as const),
  ['BAD_USER_INPUT', 'VALIDATION_FAILED'],
  ['BAD_REQUEST', 'INVALID_REQUEST'],
]);

/** Codes that reject a document, its variables or its size after parsing. These rejections cost points. */
const REFUSED: ReadonlySet<unknown> = new Set<GraphqlCode>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'VALIDATION_FAILED',
  'DEPTH_LIMIT_EXCEEDED',
  'COST_LIMIT_EXCEEDED',
]);

/** True when the document, its variables or its size were rejected; false for errors of the caller or the transport. */
export const isRefusedDocument = (errors: readonly GraphQLFormattedError[]): boolean =>
  errors.some(({ extensions }) => REFUSED.has(extensions?.['code']));

export const UNEXPECTED_ERROR =
  'The fault is ours and has been written down. Give the requestId when you ask about it.';

export interface Shown {
  readonly message: string;
  readonly code: GraphqlCode;
  /** The invalid arguments, as in a problem of the operator API. */
  readonly errors?: readonly FieldError[];
  /** A remedy in one sentence, as in a problem of the operator API. */
  readonly hint?: string;
}

export function showError({ message, code, errors, hint }: ApiError): Shown {
  return {
    message,
    code: graphqlCode(code),
    ...(errors.length === 0 ? {} : { errors }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** The part of an error with a code that a caller may read; undefined for an unexpected error. */
export function showCode(message: string, { code, errors }: GraphQLErrorExtensions = {}): Shown | undefined {
  const shown = SHOWN.get(code);
  if (shown === undefined) return undefined;
  return { message, code: shown, ...(Array.isArray(errors) ? { errors: errors as FieldError[] } : {}) };
}

/** Status and headers of an ApiError that ends the whole request. */
export function headOf(apiError: ApiError): { status: number; headers: Map<string, string> } {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(apiError.headers)) headers.set(name.toLowerCase(), value);
  const retryAfter = apiError.retryAfter ?? (apiError.code === 'temporarily_unavailable' ? 1 : undefined);
  if (retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  return { status: PROBLEMS[apiError.code].status, headers };
}

/** Converts an ApiError to the error that ends an operation in Apollo's pipeline, with its HTTP status. */
export function endOperation(apiError: ApiError): GraphQLError {
  return new GraphQLError(apiError.message, {
    originalError: apiError,
    extensions: { code: graphqlCode(apiError.code), http: headOf(apiError) },
  });
}
