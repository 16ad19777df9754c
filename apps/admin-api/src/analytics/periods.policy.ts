import { ApiError, summaryOf } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import { DAY_MS, localTime } from '@lyceum/platform';
import { startsOfDays } from '#src/time-zones/day-starts.policy.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
type Granularity = (typeof GRANULARITIES)[number];

/** Names what the figures of a range are compared with. */
export const COMPARISONS = ['none', 'previous_period'] as const;

/** Days of a range. */
export const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

/** A range as a caller names it, by dates of the time zone. */
export interface AskedRange {
  readonly from?: string | undefined;
  /** The last day. */
  readonly to?: string | undefined;
  readonly granularity: Granularity;
}

/** Dates of the first and the last day. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface Range extends Days {
  readonly granularity: Granularity;
  readonly timezone: string;
  readonly periods: readonly Days[];
  /** The instants at which the periods begin, and the end of the last one. */
  readonly edges: readonly Date[];
  /** Names of the months that the range touches, such as 2026-11. */
  readonly months: readonly string[];
  /** The instants at which these months begin, and the end of the last one. */
  readonly monthEdges: readonly Date[];
}

/** A range that ends where another one begins. */
export type PreviousRange = Days & Pick<Range, 'edges'>;

/** Returns how an edge names a member of a request in an error. */
export type Naming = (member: string) => { readonly parameter: string } | { readonly pointer: string };

/** @throws `invalid_request`, or `validation_failed` for a body, for a range that is empty or too long */
export function rangeOf(asked: AskedRange, timezone: string, now: Date, naming: Naming): Range {
  const { granularity } = asked;
  // Local dates are the milliseconds that UTC has for them.
  const today = startOfDay(localTime(now.getTime(), timezone));
  const last = asked.to === undefined ? defaultEnd(asked.from, today) : dateOf(asked.to);
  const first = asked.from === undefined ? last - (DEFAULT_DAYS - 1) * DAY_MS : dateOf(asked.from);
  const days = (last - first) / DAY_MS + 1;
  if (days < 1) refuse({ ...naming('to'), code: 'too_small', detail: 'Not before `from`' });
  if (days > MAX_DAYS) refuse({ ...naming('to'), code: 'too_large', detail: `At most ${MAX_DAYS} days with \`from\`` });
  const end = last + DAY_MS;
  const starts = startsOf(first, end, granularity);
  const months = startsOf(startOfMonth(first), nextOf(last, 'month'), 'month');
  return {
    from: nameOf(first),
    to: nameOf(last),
    granularity,
    timezone,
    periods: starts.map((start, index) => ({ from: nameOf(start), to: nameOf((starts[index + 1] ?? end) - DAY_MS) })),
    edges: startsOfDays([...starts, end], timezone),
    months: months.map((month) => nameOf(month).slice(0, 7)),
    monthEdges: startsOfDays([...months, nextOf(last, 'month')], timezone),
  };
}

/** Returns the range of as many days of the time zone directly before another one, as one period. */
export function previousOf({ from, to, timezone }: Pick<Range, 'from' | 'to' | 'timezone'>): PreviousRange {
  const first = dateOf(from);
  const start = first - (dateOf(to) + DAY_MS - first);
  return { from: nameOf(start), to: nameOf(first - DAY_MS), edges: startsOfDays([start, first], timezone) };
}

/** A range without an end ends today, and one that begins later has one day. */
function defaultEnd(from: string | undefined, today: number): number {
  return from === undefined ? today : Math.max(dateOf(from), today);
}

function startsOf(first: number, end: number, granularity: Granularity): number[] {
  const starts: number[] = [];
  for (let start = first; start < end; start = nextOf(start, granularity)) starts.push(start);
  return starts;
}

/** Returns the first day after the period that contains a day. Weeks begin on Monday. */
function nextOf(day: number, granularity: Granularity): number {
  if (granularity === 'day') return day + DAY_MS;
  const date = new Date(day);
  if (granularity === 'week') return day + (7 - ((date.getUTCDay() + 6) % 7)) * DAY_MS;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

const dateOf = (name: string): number => Date.parse(`${name}T00:00:00Z`);
const nameOf = (date: number): string => new Date(date).toISOString().slice(0, 10);
const startOfDay = (local: number): number => local - (local % DAY_MS);

function startOfMonth(day: number): number {
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function refuse(error: FieldError): never {
  const code = 'pointer' in error ? 'validation_failed' : 'invalid_request';
  throw new ApiError(code, summaryOf([error], 'The range is not acceptable'), { errors: [error] });
}
