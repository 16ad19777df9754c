import { ApiError } from '@lyceum/errors';
import { DAY_MS, instantOf, localTime } from '@lyceum/platform';
import { isWritable } from '@lyceum/rest';
import { isLive } from './enrollment.policy.js';
import type { EnrollmentSource, EnrollmentState } from './enrollment.policy.js';

export const GRANT_SOURCES = ['order', 'subscription', 'membership', 'manual', 'import'] as const;
export type GrantSource = (typeof GRANT_SOURCES)[number];

/** One reason for which a student may take a course, and for how long. */
export interface Grant {
  /** Null until it is written. */
  readonly id: string | null;
  readonly source: GrantSource;
  /** The order, the subscription or the like; null when an operator gave it. */
  readonly source_id: string | null;
  /** The plan of the course by which it was given; null: none. */
  readonly plan_id: string | null;
  readonly starts_at: Date;
  /** Null: for life. */
  readonly ends_at: Date | null;
  readonly revoked_at: Date | null;
}

/** The sum of the grants of an enrollment at one instant. */
export interface Access {
  readonly state: EnrollmentState;
  readonly started_at: Date;
  /** The end of the period that covers the instant, else of the next or the last one. Null: for life. */
  readonly expires_at: Date | null;
  /** When the state changes by time alone. Null: never. */
  readonly changes_at: Date | null;
}

/** A time of access without interruption. `end` is the first instant without access. */
interface Period {
  readonly start: number;
  readonly end: number;
  /** Whether it was cut short. */
  readonly revoked: boolean;
}

/** Sums up grants: their periods are joined where they overlap or touch, and the state follows from the instant. */
export function accessOf(grants: readonly Grant[], now: Date): Access {
  const all = grants.map(periodOf);
  const periods = joined(all);
  const instant = now.getTime();
  const next = periods.find(({ start }) => start > instant);
  const last = periods.findLast(({ start }) => start <= instant);
  if (last !== undefined && instant < last.end)
    return { state: 'active', ...datesOf(last), changes_at: date(last.end) };
  if (last !== undefined) {
    const state = last.revoked ? 'revoked' : 'expired';
    return { state, ...datesOf(last), changes_at: next === undefined ? null : date(next.start) };
  }
  if (next !== undefined) return { state: 'pending', ...datesOf(next), changes_at: date(next.start) };
  // Each grant ended before it began.
  const end = Math.max(...all.map((period) => period.end));
  const state = all.some((period) => period.revoked && period.end === end) ? 'revoked' : 'expired';
  return { state, ...datesOf({ start: end, end }), changes_at: null };
}

/** When the first access of an enrollment begins. Later access after an interruption does not move it. */
export function firstStartOf(grants: readonly Grant[]): Date {
  const [first] = joined(grants.map(periodOf));
  return first === undefined ? accessOf(grants, new Date(0)).started_at : new Date(first.start);
}

/** Neither revoked nor over: it gives access now or later. */
export function isStanding({ ends_at, revoked_at }: Grant, now: Date): boolean {
  return revoked_at === null && time(ends_at) > now.getTime();
}

/** Given by an operator, and not on behalf of an order or the like. */
export function isByHand({ source, source_id }: Grant): boolean {
  return source_id === null && (source === 'manual' || source === 'import');
}

/** Revokes all access. Grants that are over stay unchanged. */
export function withoutAccess(grants: readonly Grant[], now: Date): readonly Grant[] {
  return grants.map((grant) => (isStanding(grant, now) ? { ...grant, revoked_at: now } : grant));
}

/** Revokes the access of one source. Grants of other sources stay. */
export function withoutSource(
  grants: readonly Grant[],
  { source, source_id }: Pick<Grant, 'source' | 'source_id'>,
  now: Date,
): readonly Grant[] {
  return grants.map((grant) =>
    grant.source === source && grant.source_id === source_id && isStanding(grant, now)
      ? { ...grant, revoked_at: now }
      : grant,
  );
}

/** Ends the access of one source now, as its end date would. A later grant of the source gives access again. */
export function endingSource(
  grants: readonly Grant[],
  { source, source_id }: Pick<Grant, 'source' | 'source_id'>,
  now: Date,
): readonly Grant[] {
  return grants.map((grant) => {
    const [ended = grant] = expiredAt([grant], now);
    return grant.source === source && grant.source_id === source_id ? ended : grant;
  });
}

/**
 * Adds the grant of a source, or replaces the period and the plan of its existing grant, as a renewal does. A revoked
 * grant stays revoked, so a late repetition restores no access.
 */
export function withSource(grants: readonly Grant[], given: Grant): readonly Grant[] {
  const known = grants.find(({ source, source_id }) => source === given.source && source_id === given.source_id);
  if (known === undefined) return [...grants, given];
  const { plan_id, starts_at, ends_at } = given;
  const samePeriod = time(known.starts_at) === time(starts_at) && time(known.ends_at) === time(ends_at);
  if (known.revoked_at !== null || (samePeriod && known.plan_id === plan_id)) return grants;
  return grants.map((grant) => (grant === known ? { ...grant, plan_id, starts_at, ends_at } : grant));
}

/**
 * Continues the access of a source that nothing has renewed. A grant that an operator let end before the former end of
 * the source ends no later.
 */
export function continued(grants: readonly Grant[], given: Grant, former_end: Date | null): readonly Grant[] {
  const known = grants.find(({ source, source_id }) => source === given.source && source_id === given.source_id);
  if (known === undefined || time(known.ends_at) >= time(former_end)) return withSource(grants, given);
  const ends_at = time(known.ends_at) < time(given.ends_at) ? known.ends_at : given.ends_at;
  return withSource(grants, { ...given, ends_at });
}

/**
 * Lets access end at an instant, or never. Cuts grants that last longer. Adds a grant by hand for missing time, so that
 * this time does not depend on an order or the like.
 */
export function endingAt(grants: readonly Grant[], end: Date | null, now: Date): readonly Grant[] {
  const cut = grants.map((grant) => {
    if (!isStanding(grant, now) || time(grant.ends_at) <= time(end)) return grant;
    return time(grant.starts_at) < time(end) ? { ...grant, ends_at: end } : { ...grant, revoked_at: now };
  });
  if (endsAt(cut, end, now)) return cut;
  const longer = cut.findLast((grant) => isByHand(grant) && isStanding(grant, now));
  const moved = cut.map((grant) => (grant === longer ? { ...grant, ends_at: end } : grant));
  if (longer !== undefined && endsAt(moved, end, now)) return moved;
  const { state, started_at } = accessOf(grants, now);
  const starts_at = state === 'pending' ? started_at : now;
  const added = { id: null, source: 'manual', source_id: null, plan_id: null, revoked_at: null } as const;
  return [...cut, { ...added, starts_at, ends_at: end }];
}

/** Ends access now, as its end date would. Grants that have not begun are revoked. */
export function expiredAt(grants: readonly Grant[], now: Date): readonly Grant[] {
  return grants.map((grant) => {
    if (!isStanding(grant, now)) return grant;
    return grant.starts_at < now ? { ...grant, ends_at: now } : { ...grant, revoked_at: now };
  });
}

/** An instant on the calendar of a school. */
export interface LocalNow {
  readonly now: Date;
  /** IANA name of the zone of the school. */
  readonly time_zone: string;
}

/**
 * Adds days to the end of access, or to now if it has ended: it ends at the same local time. Null: for life.
 *
 * @throws `validation_failed` for an end that no response can show
 */
export function laterBy(
  days: number,
  { state, expires_at }: Omit<Access, 'changes_at'>,
  { now, time_zone }: LocalNow,
): Date | null {
  if (expires_at === null) return null;
  const from = localTime((isLive(state) ? expires_at : now).getTime(), time_zone);
  const end = new Date(instantOf(from + days * DAY_MS, time_zone));
  if (isWritable(end)) return end;
  throw new ApiError('validation_failed', 'The enrollment would end after the year 9999', {
    errors: [{ pointer: '/days', code: 'too_large', detail: 'The access ends in the year 9999 at the latest' }],
  });
}

/** True if the state, the beginning and the end are the same, so that no event is needed. */
export function isSameAccess(a: Omit<Access, 'changes_at'>, b: Omit<Access, 'changes_at'>): boolean {
  return a.state === b.state && time(a.started_at) === time(b.started_at) && time(a.expires_at) === time(b.expires_at);
}

/** The plan of an enrollment: of the last of its grants that has one. */
export function planOf(grants: readonly Pick<Grant, 'plan_id'>[]): string | null {
  return grants.findLast(({ plan_id }) => plan_id !== null)?.plan_id ?? null;
}

/** The source of an enrollment that a grant opened. */
export function enrollmentSourceOf(source: GrantSource): EnrollmentSource {
  return source === 'order' || source === 'subscription' ? 'purchase' : source;
}

function endsAt(grants: readonly Grant[], end: Date | null, now: Date): boolean {
  const { state, expires_at } = accessOf(grants, now);
  return (state === 'active' || state === 'pending') && time(expires_at) === time(end);
}

function periodOf({ starts_at, ends_at, revoked_at }: Grant): Period {
  const end = Math.min(time(ends_at), time(revoked_at));
  return { start: time(starts_at), end, revoked: revoked_at !== null && time(revoked_at) === end };
}

function joined(periods: readonly Period[]): readonly Period[] {
  const result: Period[] = [];
  const given = periods.filter(({ start, end }) => start < end).toSorted((a, b) => a.start - b.start);
  for (const period of given) {
    const last = result.at(-1);
    if (last === undefined || period.start > last.end) result.push(period);
    else if (period.end === last.end) result[result.length - 1] = { ...last, revoked: last.revoked || period.revoked };
    else if (period.end > last.end) result[result.length - 1] = { ...period, start: last.start };
  }
  return result;
}

function datesOf({ start, end }: Pick<Period, 'start' | 'end'>): Pick<Access, 'started_at' | 'expires_at'> {
  return { started_at: new Date(start), expires_at: date(end) };
}

/** Null is an end that never comes. */
function time(instant: Date | null): number {
  return instant?.getTime() ?? Infinity;
}

function date(instant: number): Date | null {
  return instant === Infinity ? null : new Date(instant);
}
