/** Part `part` of as many equal parts: no two of them share anything, and what does not divide is left over. */
export function portion<T>(items: readonly T[], part: number, parts: number): T[] {
  const size = Math.floor(items.length / parts);
  return items.slice(part * size, (part + 1) * size);
}
