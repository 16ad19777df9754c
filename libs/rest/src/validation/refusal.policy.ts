import { ApiError } from '@lyceum/errors';
import { bodyErrors, jsonPointer, parameterErrors } from '@lyceum/platform';
import type { z } from 'zod';

/** A body that is JSON but not acceptable: 422 with a JSON Pointer to each error. */
export function refuseBody(error: z.ZodError): ApiError {
  return new ApiError('validation_failed', 'The body is not acceptable', { errors: bodyErrors(error) });
}

/** An argument of a tool that holds JSON text. The pointers lead from the arguments of the tool into the text. */
export function refuseArgument(argument: string, error: z.ZodError, hint: string): ApiError {
  const errors = bodyErrors(error).map(({ pointer = '', code, detail }) => ({
    pointer: `${jsonPointer([argument])}${pointer}`,
    code,
    detail,
  }));
  return new ApiError('validation_failed', `${argument} is not valid`, { errors, hint });
}

/** Query parameters: 400. An unknown one has its own code, because it is the most common slip. */
export function refuseQuery(error: z.ZodError): ApiError {
  const errors = parameterErrors(error);
  const unknown = errors.filter(({ code }) => code === 'unknown_parameter');
  if (unknown.length === 0) return new ApiError('invalid_request', 'A parameter is not acceptable', { errors });
  const names = unknown.map(({ parameter = '' }) => parameter).join(', ');
  return new ApiError('unknown_parameter', `Unknown parameter: ${names}`, { errors: unknown });
}
