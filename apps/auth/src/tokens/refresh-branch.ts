/** SQL expressions of refresh token t and its grant g, which has the latest used token of the family. */
const isLatest = 'g.used_token IS NOT DISTINCT FROM t.token_hash';

/** When the token was used, and how often it was repeated since. A release before `RefreshState` wrote it to t. */
export const USED_AT = `CASE WHEN ${isLatest} THEN g.used_at ELSE t.consumed_at END`;
export const REPEATS = `CASE WHEN ${isLatest} THEN g.used_repeats ELSE t.repeats END`;

/** The token is on the live branch: none of its siblings was used, and none of its successors. */
export const UNUSED = 't.consumed_at IS NULL AND t.rotation > g.used_rotation';

/**
 * A used token may be repeated within the window while none of its successors was used: the response was lost, or two
 * tabs refreshed at once. Any other use is a theft (RFC 9700 §4.14.2).
 */
export function repeatable(seconds: string): string {
  return `${seconds} > 0 AND ${USED_AT} > now() - make_interval(secs => ${seconds}) AND t.rotation >= g.used_rotation`;
}
