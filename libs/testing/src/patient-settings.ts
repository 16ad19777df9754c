/**
 * Settings of resource servers in tests: a request survives auth that stands still for seconds on a busy machine. The
 * suites of the budget itself use the default.
 */
export const PATIENT_SETTINGS = { INTROSPECTION_BUDGET_MS: '10000' } as const;

/** Settings of services in the process of a suite: the suite takes the turns of scheduled tasks itself. */
export const SUITE_SETTINGS = { ...PATIENT_SETTINGS, PERIODIC_TASKS: 'off' } as const;
