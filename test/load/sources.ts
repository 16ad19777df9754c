/** The header of a request from the nth address of a network for measuring (RFC 2544): limits count each address apart. */
export function fromSource(n: number): Record<string, string> {
  return { 'x-forwarded-for': `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}` };
}
