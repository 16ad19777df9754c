import type { ImageLimits } from '#src/images/image.policy.js';

export const LOGO_LIMITS = {
  bytes: 64 * 1024,
  side: 1024,
  /** For a whole fetch. */
  milliseconds: 5_000,
} as const satisfies ImageLimits & { readonly milliseconds: number };
