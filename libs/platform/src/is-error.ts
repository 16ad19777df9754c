import { types } from 'node:util';

/**
 * True for errors of every make: those of Node itself while a test runs in a context of its own, where `instanceof`
 * says no, and those of Fastify, which inherit from `Error` without being native.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** What happened, in one line. */
export function wordsOf(fault: unknown): string {
  if (isError(fault)) return fault.message;
  return typeof fault === 'string' ? fault : 'something that is no error was thrown';
}
