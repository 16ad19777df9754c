import { BoundedCache, DAY_MS, instantOf, offsetOf } from '@lyceum/platform';

/** Years that are kept, with 3 KB each. */
const MAX_YEARS = 200;
const years = new BoundedCache<readonly number[]>(MAX_YEARS);

/**
 * Returns the instants at which days begin in a time zone. Days are the milliseconds that UTC has for them. A year of a
 * zone costs milliseconds, and is computed once.
 */
export function startsOfDays(days: readonly number[], timeZone: string): Date[] {
  return days.map((day) => {
    const first = Date.UTC(new Date(day).getUTCFullYear(), 0);
    return new Date(startsOfYear(first, timeZone)[(day - first) / DAY_MS] ?? instantOf(day, timeZone));
  });
}

function startsOfYear(first: number, timeZone: string): readonly number[] {
  return years.get(`${timeZone.toLowerCase()} ${first}`, () => computeYear(first, timeZone));
}

function computeYear(first: number, timeZone: string): readonly number[] {
  const days = (Date.UTC(new Date(first).getUTCFullYear() + 1, 0) - first) / DAY_MS;
  // One offset for each day and its two neighbors, because an offset is the expensive part.
  const offsets = Array.from({ length: days + 2 }, (_, index) => offsetOf(first + (index - 1) * DAY_MS, timeZone));
  return Array.from({ length: days }, (_, index) => {
    const [day, before, after] = [first + index * DAY_MS, offsets[index], offsets[index + 2]];
    return before === undefined || before !== after ? instantOf(day, timeZone) : day - before;
  });
}
