import { ApiError } from '@lyceum/errors';
import { bodyErrors, jsonPointer, parameterErrors } from '@lyceum/platform';
import type { z } from 'zod';

/** Returns a `validation_failed` for the issues of a body, with a JSON Pointer (RFC 6901) to each value. */
export function refuseBody(error: z.ZodError): ApiError {
  return new ApiError('validation_failed', 'The body is not acceptable', { errors: bodyErrors(error) });
}

/** Returns a `validation_failed` for the issues of JSON text in an argument of a tool, with pointers into the text. */
export function refuseArgument(argument: string, error: z.ZodError, hint: string): ApiError {
  const errors = bodyErrors(error).map(({ pointer = '', code, detail }) => ({
    pointer: `${jsonPointer([argument])}${pointer}`,
    code,
    detail,
  }));
  return new ApiError('validation_failed', `${argument} is not valid`, { errors, hint });
}

/** Returns a 400 for query parameters. Unknown ones have their own code, because they are the most common mistake. */
export function refuseQuery(error: z.ZodError): ApiError {
  const errors = parameterErrors(error);
  const unknown = errors.filter(({ code }) => code === 'unknown_parameter');
  if (unknown.length === 0) return new ApiError('invalid_request', 'A parameter is not acceptable', { errors });
  const names = unknown.map(({ parameter = '' }) => parameter).join(', ');
  return new ApiError('unknown_parameter', `Unknown parameter: ${names}`, { errors: unknown });
}
