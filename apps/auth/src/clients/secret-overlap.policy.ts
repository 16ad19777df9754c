const HOUR = 3600;

/** The times for which the old secret of a client stays valid after a rotation, in seconds. */
export const SECRET_OVERLAPS = { none: 0, '1h': HOUR, '24h': 24 * HOUR, '7d': 7 * 24 * HOUR } as const;

export type SecretOverlap = keyof typeof SECRET_OVERLAPS;

export const isSecretOverlap = (value: string | undefined): value is SecretOverlap =>
  value !== undefined && Object.hasOwn(SECRET_OVERLAPS, value);
