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
