/** Microseconds since 1970, as PostgreSQL keeps them. */
export function micros(time: string): bigint {
  const [, seconds = '', fraction = ''] = /^(.{19})\.?(\d*)Z$/.exec(time) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/** As PostgreSQL writes it: no zeros at the end of the fraction. */
export function instant(time: unknown): string | null {
  if (typeof time !== 'string') return null;
  return time.replace(/(\.\d*?)0+Z$/, '$1Z').replace('.Z', 'Z');
}
