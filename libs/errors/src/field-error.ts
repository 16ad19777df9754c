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

/** The first error with its place, for a reader who sees only the text: `/title: at most 200 characters`. */
export function summaryOf(errors: readonly FieldError[], otherwise: string): string {
  const [first] = errors;
  if (first === undefined) return otherwise;
  const place = first.parameter ?? first.pointer;
  return place ? `${place}: ${inSentence(first.detail)}` : first.detail;
}

/** A name in capitals keeps them. */
function inSentence(text: string): string {
  return /^[A-Z](?:[a-z]| )/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}
