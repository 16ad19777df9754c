/** The source header of request n: an address of the benchmarking network (RFC 2544). Limits count each separately. */
export function fromSource(n: number): Record<string, string> {
  return { 'x-forwarded-for': `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}` };
}
