/** Seconds. */
export const FRESHNESS = { least: 300, unsaid: 3600, most: 86_400 } as const;
/** How long after its time a document is still good while its host cannot be reached. */
export const STALE_SECONDS = 7 * 86_400;

/** For how many seconds a document is not asked for again (RFC 9111 §5.2.2), never less and never more than is sane. */
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
