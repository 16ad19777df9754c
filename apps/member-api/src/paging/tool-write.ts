import { z } from 'zod';

/** What the writing tools take beside their own arguments. Each of them can be repeated without harm by itself. */
export const WRITE_INPUT = {
  idempotency_key: z.string().min(1).max(255).optional().describe('Taken and not needed: a repeat changes nothing'),
  dry_run: z.boolean().default(false).describe('Checks everything and changes nothing'),
};

/** Says so of a result, beside the new state. */
export const DRY_RUN = z.boolean().describe('Nothing was changed; this is the object as it would be');
