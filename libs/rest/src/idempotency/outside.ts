import { AsyncLocalStorage } from 'node:async_hooks';

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A write that is running, with the outcome of its step once that has run. */
interface Run {
  outcome?: Outcome;
}

/** Thrown to end the transaction, so that a step runs without a connection to the database. */
class Postponed extends Error {
  constructor(readonly step: () => Promise<unknown>) {
    super('The step runs outside of the transaction');
  }
}

const runs = new AsyncLocalStorage<Run>();

/**
 * Runs a slow step of a write outside of its transaction, and returns its result. The transaction is rolled back, and
 * its work runs again after the step: it must read its rows again, and call this function before it writes. A write
 * has at most one such step. Its error is thrown within the second transaction.
 */
export async function outside<T>(step: () => Promise<T>): Promise<T> {
  const run = runs.getStore();
  if (run === undefined) return step();
  if (run.outcome === undefined) throw new Postponed(step);
  if ('error' in run.outcome) throw run.outcome.error;
  return run.outcome.value as T;
}

/** True in work that runs again after its step. The conditions of the step may have ended since, and refuse nothing. */
export function hasStepped(): boolean {
  return runs.getStore()?.outcome !== undefined;
}

/**
 * Runs work whose transaction may have a step outside of it.
 *
 * @param around runs the step and the work after it
 */
export async function withStep<T>(
  work: () => Promise<T>,
  around: (rest: () => Promise<T>) => Promise<T> = (rest) => rest(),
): Promise<T> {
  const run: Run = {};
  try {
    return await runs.run(run, work);
  } catch (error) {
    if (!(error instanceof Postponed)) throw error;
    const { step } = error;
    return around(async () => {
      run.outcome = await outcomeOf(step);
      return runs.run(run, work);
    });
  }
}

function outcomeOf(step: () => Promise<unknown>): Promise<Outcome> {
  return step().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
