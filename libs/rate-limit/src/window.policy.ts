import type { Lease, LeaseRequest } from './rate-windows.js';

/**
 * A replica leases this fraction of the remaining units: large leases at first, so that few requests wait for the
 * store; single units at the end, so that no replica keeps units that another one needs.
 */
export const SHARE = 8;

export interface Window {
  /** Milliseconds of the epoch. */
  readonly startedAt: number;
  /** Leased units. */
  readonly spent: number;
}

/**
 * Leases units of the window. The last operation can exceed the limit; the following windows pay for it, so that the
 * limit is met on average. PostgreSQL computes the same in its upsert.
 */
export function leaseOf(
  known: Window | undefined,
  { needed, limit, windowSeconds }: Omit<LeaseRequest, 'key'>,
  now: number,
): { readonly window: Window; readonly lease: Lease } {
  const length = windowSeconds * 1_000;
  const { startedAt, spent } = current(known, limit, length, now);
  const granted = spent < limit ? Math.max(needed, Math.floor((limit - spent) / SHARE)) : 0;
  const window = { startedAt, spent: spent + granted };
  return { window, lease: { granted, spent: window.spent, msLeft: Math.max(0, startedAt + length - now) } };
}

function current(known: Window | undefined, limit: number, length: number, now: number): Window {
  if (known === undefined) return { startedAt: now, spent: 0 };
  const ended = Math.floor((now - known.startedAt) / length);
  // A window that a clock ahead of this one began begins now. It would refuse for as long as that clock was ahead.
  if (ended < 1) return { ...known, startedAt: Math.min(known.startedAt, now) };
  return { startedAt: now, spent: Math.max(0, known.spent - limit * ended) };
}
