import type { FieldErrorCode } from './codes.js';

/** A place in the body: JSON Pointer (RFC 6901), empty for the whole body. The body of a tool call is its arguments. */
interface BodyPlace {
  readonly pointer: string;
  readonly parameter?: never;
}

/** The name of a query parameter, path parameter or header field. */
interface ParameterPlace {
  readonly parameter: string;
  readonly pointer?: never;
}

/** One error of the input. */
export type FieldError = (BodyPlace | ParameterPlace) & {
  readonly code: FieldErrorCode;
  readonly detail: string;
  /** Id of the conflicting object, for `already_exists`. */
  readonly id?: string | undefined;
};
