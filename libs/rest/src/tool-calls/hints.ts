/**
 * Hints of tools for clients, which ask people before some calls: `destructive` tools overwrite or end
 * something; repeating `idempotent` tools has no further effect. No tool reaches beyond the platform.
 */
const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean) =>
  ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint: false }) as const;

export const READS = hints(true, false, true);
/** Makes something new each time. */
export const ADDS = hints(false, false, false);
/** Adds something, or changes a state reversibly. Repeating it has no effect. */
export const MOVES = hints(false, false, true);
/** Overwrites values, or ends something. */
export const REPLACES = hints(false, true, true);
/** Runs an arbitrary operation. */
export const DOES_ANYTHING = hints(false, true, false);
