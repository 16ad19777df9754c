/** The deprecation of an operation that a later release removes. */
export interface Deprecation {
  /** The day of the announcement in UTC: `2027-01-31`. */
  readonly since: string;
  /** The day from which the operation may be missing: at least six months after `since`. */
  readonly sunset: string;
  /** URL or path of the operation that replaces it. */
  readonly successor?: string;
}

const MONTHS = 6;

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the link to the successor (RFC 5829). */
export interface DeprecationHeaders {
  readonly deprecation: string;
  readonly sunset: string;
  readonly link?: string;
}

/** @throws Error when the period between announcement and removal is shorter than promised */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): DeprecationHeaders {
  const [start, end] = [new Date(since), new Date(sunset)];
  const earliest = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + MONTHS, start.getUTCDate()));
  if (!(end >= earliest)) throw new Error(`The sunset ${sunset} must be at least ${MONTHS} months after ${since}`);
  return {
    deprecation: `@${start.getTime() / 1_000}`,
    sunset: end.toUTCString(),
    ...(successor === undefined ? {} : { link: `<${successor}>; rel="successor-version"` }),
  };
}

/** Returns the description with a sentence about the deprecation. */
export function withDeprecation(description: string, deprecation: Deprecation | undefined): string {
  if (deprecation === undefined) return description;
  const { since, sunset, successor } = deprecation;
  const use = successor === undefined ? '' : ` Its successor is \`${successor}\`.`;
  return `${description} Deprecated since ${since}, and removed on ${sunset} or later.${use}`;
}
