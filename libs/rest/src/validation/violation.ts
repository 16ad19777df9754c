import { ApiError } from '@lyceum/errors';
import { isObject } from '@lyceum/platform';
import { QueryFailedError } from 'typeorm';

const UNIQUE_VIOLATION = '23505';

/** Returns true if the error is a violation of this unique constraint. The transaction must then be rolled back. */
export function violates(error: unknown, constraint: string): boolean {
  // TypeORM wraps the error of pg, a prepared statement does not.
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!isObject(cause)) return false;
  return Reflect.get(cause, 'code') === UNIQUE_VIOLATION && Reflect.get(cause, 'constraint') === constraint;
}

/** The refusal of a unique value that another object has. Undefined id: the caller may not see that object. */
export function takenError(one: string, member: string, id: string | undefined): ApiError {
  return new ApiError('already_exists', `Another ${one} of this site has this ${member.replaceAll('_', ' ')}`, {
    errors: [{ pointer: `/${member}`, code: 'already_exists', detail: `Taken by another ${one}`, id }],
  });
}
