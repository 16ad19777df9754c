import { types } from 'node:util';

/**
 * True for errors of every realm: those of Node in a test's own context, where `instanceof` fails, and those of
 * Fastify, which inherit from `Error` without being native.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** The message of an error, in one line. */
export function wordsOf(fault: unknown): string {
  if (isError(fault)) return fault.message;
  return typeof fault === 'string' ? fault : 'something that is no error was thrown';
}
