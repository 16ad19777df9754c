/**
 * Hints of tools for clients, which ask people before some calls: `destructive` tools overwrite or end
 * something; repeating `idempotent` tools has no further effect. No tool reaches beyond the platform.
 */
const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean) =>
  ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint: false }) as const;

/** Reads only. */
export const READS = hints(true, false, true);
/** Creates a new object, or has another further effect, with each call. */
export const ADDITIVE = hints(false, false, false);
/** Adds an object, or changes a state reversibly. A repetition has no effect. */
export const IDEMPOTENT = hints(false, false, true);
/** Overwrites values, or ends an object. A repetition has no effect. */
export const DESTRUCTIVE = hints(false, true, true);
/** Runs an arbitrary operation. */
export const OPEN_ENDED = hints(false, true, false);
