/** Place of a state among those of its aggregate. Events have `version` as `aggregate_version`. See ADR 40. */
export interface StateVersion {
  readonly epoch: number;
  readonly version: number;
}

/**
 * True for a state that follows the other one. PostgreSQL compares rows in the same order:
 * `(old.epoch, old.version) < (excluded.epoch, excluded.version)`.
 */
export function isNewerState(one: StateVersion, other: StateVersion): boolean {
  return one.epoch === other.epoch ? one.version > other.version : one.epoch > other.epoch;
}
