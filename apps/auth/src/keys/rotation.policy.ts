const HOUR_MS = 3_600_000;

/** A new key is published for so long before it signs, and an old one after it stopped: JWKS caches last a day. */
export const OVERLAP_MS = 24 * HOUR_MS;

export interface KeyTimes {
  readonly signs_from: Date;
  readonly signs_until: Date | null;
  readonly published_until: Date | null;
}

export function isPublished(key: KeyTimes, now: Date): boolean {
  return key.published_until === null || key.published_until > now;
}

export function signs(key: KeyTimes, now: Date): boolean {
  return key.signs_from <= now && (key.signs_until === null || key.signs_until > now);
}

/**
 * Published keys, the signing one first: the engine takes the first that fits. The newest of several signing keys is
 * first.
 */
export function inSigningOrder<Key extends KeyTimes>(keys: readonly Key[], now: Date): Key[] {
  const rank = (key: Key): number => (signs(key, now) ? key.signs_from.getTime() : -1);
  return keys.filter((key) => isPublished(key, now)).toSorted((one, other) => rank(other) - rank(one));
}

/**
 * True when the next key must be published to sign `days` after the start of the newest one. A published key that does
 * not sign yet counts as the next one. 0 days: never.
 */
export function isRotationDue(keys: readonly KeyTimes[], now: Date, days: number): boolean {
  if (days === 0 || keys.length === 0) return false;
  const newest = Math.max(...keys.map(({ signs_from }) => signs_from.getTime()));
  return newest + days * 24 * HOUR_MS - OVERLAP_MS <= now.getTime();
}

/** When the key of a rotation begins to sign, and when the previous one stops and leaves the JWKS. */
export function rotationTimes(now: Date): { signs_from: Date; published_until: Date } {
  const signs_from = new Date(now.getTime() + OVERLAP_MS);
  return { signs_from, published_until: new Date(signs_from.getTime() + OVERLAP_MS) };
}
