/**
 * What tools say of themselves to clients, which ask people before some calls: `destructive` is what overwrites or ends
 * something, `idempotent` what has no further effect when it is repeated. None reaches beyond the platform.
 */
const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean) =>
  ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint: false }) as const;

export const READS = hints(true, false, true);
/** Makes something new each time. */
export const ADDS = hints(false, false, false);
/** Adds something, or changes a state back and forth; a repetition does nothing. */
export const MOVES = hints(false, false, true);
/** Overwrites values, or ends something. */
export const REPLACES = hints(false, true, true);
/** Executes an operation of the caller. */
export const DOES_ANYTHING = hints(false, true, false);
