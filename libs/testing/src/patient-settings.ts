/**
 * Settings of services in tests: a request survives auth or a database that stands still for seconds on a busy
 * machine, and a replica stays ready. The suites of these limits use the defaults.
 */
export const PATIENT_SETTINGS = {
  INTROSPECTION_BUDGET_MS: '10000',
  READINESS_TIMEOUT_MS: '10000',
  DATABASE_WAIT_MS: '20000',
  DATABASE_STATEMENT_MS: '20000',
} as const;

/**
 * Settings of services in the process of a suite. The suite takes the turns of scheduled tasks itself, and waits for
 * each job of a queue.
 */
export const SUITE_SETTINGS = { ...PATIENT_SETTINGS, PERIODIC_TASKS: 'off', QUEUE_PAUSE_MS: '100' } as const;
