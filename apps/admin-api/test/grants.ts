import type { Grant } from '#src/enrollments/access.policy.js';

/** A day of November 2026. Null: never. */
export const day = (number: number | null): Date | null =>
  number === null ? null : new Date(`2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`);
export const on = (number: number): Date => day(number) ?? new Date(Number.NaN);

let counter = 0;
/** A grant of an operator. */
export function grant(
  from: number,
  until: number | null,
  more: Partial<Omit<Grant, 'revoked_at'>> & { revoked?: number } = {},
) {
  const { revoked = null, ...rest } = more;
  const times = { starts_at: on(from), ends_at: day(until), revoked_at: day(revoked) };
  return { id: `g${++counter}`, source: 'manual', source_id: null, plan_id: null, ...times, ...rest } as Grant;
}
/** A grant of an order. */
export const order = (from: number, until: number | null, more: { revoked?: number; source_id?: string } = {}): Grant =>
  grant(from, until, { source: 'order', source_id: 'o1', ...more });
