import { ApiError } from '@lyceum/errors';

/** Operating system codes of an unreachable server. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * SQLSTATEs (PostgreSQL, appendix A) of errors that a retry may resolve: class 08 connection, 53 resources, 57 shutdown
 * and statement timeout; a lost lock, deadlock or serialization; a server that became a read-only replica; and refused
 * connections.
 */
const PASSING_STATES = /^(08...|53...|57(014|P0[1-5])|55P03|40001|40P01|25006|25P0[34]|28000|28P01|3D000)$/;

/** TypeORM's errors of a lost or missing connection, which have no code. */
const PASSING_NAMES = new Set([
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
  'ConnectionIsNotSetError',
  'CannotExecuteNotConnectedError',
]);

/** Messages of `pg`, `pg-pool` and TypeORM for errors without a code, and of PostgreSQL for a closed database. */
const PASSING_WORDS = [
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'is not currently accepting connections',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
  'Driver not Connected',
  'No connection is established',
  'connection is not established',
];

const CAUSE_LIMIT = 5;
const RETRY_AFTER_SECONDS = 1;

/** True when the database was unavailable, as opposed to a rejected statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < CAUSE_LIMIT && current instanceof Error; depth += 1) {
    const code = 'code' in current ? current.code : undefined;
    if (typeof code === 'string' && (NETWORK_CODES.has(code) || PASSING_STATES.test(code))) return true;
    const { name, message } = current;
    if (PASSING_NAMES.has(name)) return true;
    if (PASSING_WORDS.some((words) => message.includes(words))) return true;
    if ('errors' in current && Array.isArray(current.errors) && current.errors.some(isDatabaseUnavailable)) return true;
    current = 'driverError' in current ? current.driverError : current.cause;
  }
  return false;
}

/** The API error for an unreachable or overloaded database; undefined for any other error. */
export function databaseError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError || !isDatabaseUnavailable(error)) return undefined;
  return new ApiError('temporarily_unavailable', 'The service cannot do this just now. Try again in a moment.', {
    retryAfter: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
