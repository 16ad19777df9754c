import { join } from 'node:path';

const globalTeardown = join(import.meta.dirname, 'jest/global-teardown.mjs');

/**
 * Part of the Jest configuration of a package whose tests need servers: `{ ...preset, ...infrastructure() }` has
 * PostgreSQL and NATS, `infrastructure({ auth: true })` the real auth with two sites too.
 */
export function infrastructure({ auth = false } = {}) {
  const globalSetup = join(import.meta.dirname, 'jest/global-setup.mjs');
  return { globalSetup, globalTeardown, globals: { lyceumNeedsAuth: auth } };
}

/** The same for tests of the whole platform: `LYCEUM_TEST_STACK` names a file with its sites and services. */
export function wholeSystem() {
  return { globalSetup: join(import.meta.dirname, 'jest/system-setup.mjs'), globalTeardown };
}

/**
 * For suites that start a service in most of their files: modules come from `dist`, and a worker loads them once. A file
 * with `@jest-environment node` in its first comment has its own copy of the sources.
 */
export function builtModules({ transform }) {
  const jest = join(import.meta.dirname, 'jest');
  const [[files, [, options]]] = Object.entries(transform);
  return {
    testEnvironment: join(jest, 'built-environment.mjs'),
    transform: { [files]: [join(jest, 'built-transform.mjs'), options] },
  };
}
