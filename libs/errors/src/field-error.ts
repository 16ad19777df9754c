import type { FieldErrorCode } from './codes.js';

/** A place in the body: JSON Pointer (RFC 6901), empty for the whole body. In a tool call, the arguments are the body. */
interface BodyPlace {
  readonly pointer: string;
  readonly parameter?: never;
}

/** A query parameter, a path parameter or a header field, by its name. */
interface ParameterPlace {
  readonly parameter: string;
  readonly pointer?: never;
}

/** One error of the input. */
export type FieldError = (BodyPlace | ParameterPlace) & {
  readonly code: FieldErrorCode;
  readonly detail: string;
  /** Of `already_exists`: the object that has the value. */
  readonly id?: string | undefined;
};
