/** Seconds. */
export const FRESHNESS = { least: 300, unsaid: 3600, most: 86_400 } as const;
/** Seconds for which an expired document is valid while its host is unreachable. */
export const STALE_SECONDS = 7 * 86_400;

/** Seconds for which a document is not fetched again (RFC 9111 §5.2.2), within sane bounds. */
export function freshSeconds(cacheControl: string | undefined): number {
  const directives = (cacheControl ?? '').toLowerCase().split(',');
  const names = directives.map((directive) => directive.trim());
  if (names.some((name) => name === 'no-store' || name === 'no-cache')) return FRESHNESS.least;
  const age = names
    .map((name) => /^(?:s-)?max-?age="?(\d{1,9})"?$/.exec(name)?.[1])
    .find((found) => found !== undefined);
  if (age === undefined) return FRESHNESS.unsaid;
  return Math.min(FRESHNESS.most, Math.max(FRESHNESS.least, Number(age)));
}
