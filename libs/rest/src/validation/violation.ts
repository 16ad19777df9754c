import { QueryFailedError } from 'typeorm';

const UNIQUE_VIOLATION = '23505';

/** True when a statement failed because a row with the value exists already. The transaction is good for nothing more. */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const cause = error.driverError as { code?: unknown; constraint?: unknown };
  return cause.code === UNIQUE_VIOLATION && cause.constraint === constraint;
}
