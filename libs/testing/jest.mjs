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
 * For suites whose files load a service or large libraries: modules come from `dist`, and a worker loads them once. It
 * stands before `infrastructure()` and `wholeSystem()`, which build too.
 */
export function builtModules({ transform }) {
  const jest = join(import.meta.dirname, 'jest');
  const [[files, [, options]]] = Object.entries(transform);
  return {
    globalSetup: join(jest, 'built-setup.mjs'),
    testEnvironment: join(jest, 'built-environment.mjs'),
    transform: { [files]: [join(jest, 'built-transform.mjs'), options] },
  };
}
