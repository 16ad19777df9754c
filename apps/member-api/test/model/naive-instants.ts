/** The format of every surface: UTC with milliseconds. */
export function instant(time: unknown): string | null {
  return typeof time === 'string' ? new Date(time).toISOString() : null;
}
