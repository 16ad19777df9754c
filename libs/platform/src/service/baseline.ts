import type { MigrationInterface } from 'typeorm';

/** A migration with the whole schema of a version, in place of the migrations before it (ADR 174). */
export interface Baseline extends MigrationInterface {
  /** Names of the migrations that it replaces. */
  readonly replaces: readonly string[];
}

type BaselineState = 'pending' | 'replaced';

/**
 * Whether all earlier migrations have made the schema of a baseline, or it is pending in a database without them.
 *
 * @throws Error when the database has only some of the earlier migrations
 */
export function baselineState(name: string, { replaces }: Baseline, done: ReadonlySet<string>): BaselineState {
  const missing = replaces.filter((earlier) => !done.has(earlier));
  if (missing.length === 0) return 'replaced';
  if (missing.length === replaces.length) return 'pending';
  throw new Error(
    `The database has ${replaces.length - missing.length} of the ${replaces.length} migrations that ${name} replaces; ` +
      `the first missing one is ${missing[0]}. Run \`migrate\` of the last commit before ${name} first, or delete the data ` +
      'of a development stack with `npm run reset`. Nothing was changed.',
  );
}

export function isBaseline(migration: MigrationInterface | undefined): migration is Baseline {
  return migration !== undefined && 'replaces' in migration;
}
