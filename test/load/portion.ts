/** One of several equal, disjoint parts of a list. The remainder is left over. */
export function portion<T>(items: readonly T[], part: number, parts: number): T[] {
  const size = Math.floor(items.length / parts);
  return items.slice(part * size, (part + 1) * size);
}
