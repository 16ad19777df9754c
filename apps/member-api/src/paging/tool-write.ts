import { z } from 'zod';

/** Common arguments of the writing tools. All of these tools are idempotent. */
export const WRITE_INPUT = {
  idempotency_key: z.string().min(1).max(255).optional().describe('Taken and not needed: a repeat changes nothing'),
  dry_run: z.boolean().default(false).describe('Checks everything and changes nothing'),
};

/** Common field of their results. */
export const DRY_RUN = z.boolean().describe('Nothing was changed; this is the object as it would be');
