/** Requests at one time. */
const WIDTH = 8;

/** Does the work of all items, some at one time, and returns the results in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += WIDTH)
    results.push(...(await Promise.all(items.slice(at, at + WIDTH).map(work))));
  return results;
}
