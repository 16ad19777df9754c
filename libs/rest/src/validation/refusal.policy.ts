import { ApiError, summaryOf } from '@lyceum/errors';
import { bodyErrors, jsonPointer, parameterErrors } from '@lyceum/platform';
import type { z } from 'zod';

/** Returns a `validation_failed` for the issues of a body, with a JSON Pointer (RFC 6901) to each value. */
export function refuseBody(error: z.ZodError): ApiError {
  const errors = bodyErrors(error);
  return new ApiError('validation_failed', summaryOf(errors, 'The body is not acceptable'), { errors });
}

/** Returns a `validation_failed` for the issues of JSON text in an argument of a tool, with pointers into the text. */
export function refuseArgument(argument: string, error: z.ZodError, hint: string): ApiError {
  const errors = bodyErrors(error).map(({ pointer = '', code, detail }) => ({
    pointer: `${jsonPointer([argument])}${pointer}`,
    code,
    detail,
  }));
  return new ApiError('validation_failed', summaryOf(errors, `${argument} is not valid`), { errors, hint });
}

/** Returns a 400 for query parameters. Unknown ones have their own code, because they are the most common mistake. */
export function refuseQuery(error: z.ZodError): ApiError {
  const errors = parameterErrors(error);
  const unknown = errors.filter(({ code }) => code === 'unknown_parameter');
  if (unknown.length > 0) {
    return new ApiError('unknown_parameter', summaryOf(unknown, 'A parameter is unknown'), { errors: unknown });
  }
  return new ApiError('invalid_request', summaryOf(errors, 'A parameter is not acceptable'), { errors });
}
