/** Deduplication keys of notifications about one row: as text, and in SQL over an expression of its id. */
const keyed = (prefix: string) => ({
  of: (id: string): string => `${prefix}:${id}`,
  sql: (id: string): string => `'${prefix}:' || ${id}`,
  /** SQL condition: the key is one of these. */
  is: (occasion: string): string => `${occasion} like '${prefix}:%'`,
});

/** The keys that events and fan-outs share, so that a member is notified once. */
export const OCCASIONS = {
  enrollment: keyed('enrollment'),
  lecture: keyed('lecture'),
  product_granted: keyed('product_granted'),
  consulting_granted: keyed('consulting_granted'),
  event_canceled: keyed('event_canceled'),
} as const;
