import { join } from 'node:path';

/**
 * Part of the Jest configuration of a package whose tests need servers: `{ ...preset, ...infrastructure() }` has
 * PostgreSQL and NATS, `infrastructure({ auth: true })` the real auth with two sites too.
 */
export function infrastructure({ auth = false } = {}) {
  return {
    globalSetup: join(import.meta.dirname, 'jest/global-setup.mjs'),
    globalTeardown: join(import.meta.dirname, 'jest/global-teardown.mjs'),
    globals: { lyceumNeedsAuth: auth },
  };
}
