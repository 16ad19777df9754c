import { instantOf, localTime } from '@lyceum/platform';

/** Units of a calendar by which a subscription is billed. */
type Interval = 'day' | 'week' | 'month' | 'year';

/** How the periods of a subscription follow each other. */
export interface Schedule {
  /** An instant that ends a period. Its local date and time decide the ends of all other periods. */
  readonly anchor_at: Date;
  readonly interval: Interval;
  readonly interval_count: number;
}

const DAY_MS = 86_400_000;
/** No response shows a later instant. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Returns the instant this many periods after the anchor, on the clock of the time zone. A month without the day of the
 * anchor ends on its last day; the next month has the day again, because each end is counted from the anchor.
 */
export function periodEnd({ anchor_at, interval, interval_count }: Schedule, periods: number, timeZone: string): Date {
  if (periods === 0) return anchor_at;
  const count = interval_count * periods;
  const local = localTime(anchor_at.getTime(), timeZone);
  return new Date(Math.min(instantOf(shifted(local, interval, count), timeZone), LAST));
}

/** Returns the same local time this many days later. */
export function daysAfter(instant: Date, days: number, timeZone: string): Date {
  return periodEnd({ anchor_at: instant, interval: 'day', interval_count: 1 }, days, timeZone);
}

/** Returns the number of the period that contains an instant after the anchor: it ends so many periods after that. */
export function periodAt(schedule: Schedule, instant: Date, timeZone: string): number {
  const { anchor_at, interval, interval_count } = schedule;
  // No period is longer, so the first guess is no later than the period.
  const days = { day: 1, week: 7, month: 31, year: 366 }[interval] * interval_count;
  let periods = Math.floor((instant.getTime() - anchor_at.getTime()) / (days * DAY_MS));
  while (periodEnd(schedule, periods, timeZone) <= instant) periods += 1;
  return periods;
}

/** Moves a local time, given as the milliseconds that UTC has for the same date and time. */
function shifted(local: number, interval: Interval, count: number): number {
  if (interval === 'day') return local + count * DAY_MS;
  if (interval === 'week') return local + 7 * count * DAY_MS;
  const date = new Date(local);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + count * (interval === 'year' ? 12 : 1));
  // A month without the day ends with its last one: from January 31 to February 28.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
