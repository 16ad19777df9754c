const WEEK_MS = 7 * 24 * 3_600_000;

/** The beginning of the period of the given weeks. */
export function periodStart(now: Date, weeks: number): Date {
  return new Date(now.getTime() - weeks * WEEK_MS);
}

interface Dated {
  readonly created_at: Date;
}

/** The new items of a list that is newest first, and whether the next page may have more. */
export function newSince<T extends Dated>(
  { rows, next }: { readonly rows: readonly T[]; readonly next: string | null },
  start: Date,
): { readonly items: readonly T[]; readonly more: boolean } {
  const items = rows.filter((row) => row.created_at >= start);
  return { items, more: next !== null && items.length === rows.length };
}
