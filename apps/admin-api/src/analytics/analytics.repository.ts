import type { OfSite } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { AttendanceRow, CohortRow, FunnelRow, MembershipRow, SalesRow } from './figures.js';
import { BLOCKS, HOURS, QUARTERS } from './rollup.levels.js';
import type { Level } from './rollup.levels.js';
import { ATTENDANCE_SUMS, ENROLLMENT_SUMS, MEMBERSHIP_SUMS, SALES_SUMS } from './rollup.sums.js';

/** Sums end at the largest exact integer of JSON. */
const sums = (...columns: readonly string[]): string =>
  columns.map((column) => `least(sum(${column}), ${Number.MAX_SAFE_INTEGER})::bigint as ${column}`).join(', ');

const FIRST_EDGE = '($2::timestamptz[])[1]';

/** Writes the rows of a rollup with their period as a subquery. */
type Rows = (table: string, columns: readonly string[], where?: string, from?: string) => string;

const LAST_EDGE = '($2::timestamptz[])[cardinality($2)]';

/** `$2` has the instants at which periods begin, and the end of the last one. They all begin blocks. */
const ofBlocks: Rows = (table, columns, where = 'true', from = FIRST_EDGE) => `
  (select width_bucket(block, $2::timestamptz[]) as period, ${columns.join(', ')}
   from ${table}_blocks as whole
   where site_id = $1 and block >= ${from} and block < ${LAST_EDGE} and ${where})`;

/**
 * `$3` has the blocks inside of which an edge lies, and `$4` such hours. Those blocks are read by hours, and those
 * hours by quarters.
 */
const ofAllLevels: Rows = (table, columns, where = 'true', from = FIRST_EDGE) => `
  (select * from ${ofBlocks(table, columns, `${where} and ${notCut('$3', 'whole.block')}`, from)} blocks
   union all ${inside('$3', BLOCKS, HOURS, [table, columns, where, from])} where ${notCut('$4', 'finer.hour')}
   union all ${inside('$4', HOURS, QUARTERS, [table, columns, where, from])})`;

const notCut = (cuts: string, begin: string): string =>
  `not exists (select from unnest(${cuts}::timestamptz[]) as cut (begin) where cut.begin = ${begin})`;

/** Writes the rows of the level below inside of cut times. `offset 0` keeps one look-up in the index for each time. */
const inside = (
  cuts: string,
  { minutes }: Level,
  { suffix, column }: Level,
  [table, columns, where, from]: Required<Parameters<Rows>>,
): string => `
   select width_bucket(${column}, $2::timestamptz[]), ${columns.join(', ')}
   from unnest(${cuts}::timestamptz[]) as times (begin) cross join lateral (
     select * from ${table}${suffix} where site_id = $1 and ${where}
       and ${column} >= greatest(times.begin, ${from})
       and ${column} < least(times.begin + interval '${minutes} minutes', ${LAST_EDGE}) offset 0) finer`;

/** A report by whole blocks, as a third of the zones have, and one by all levels. */
interface Report {
  readonly whole: Statement;
  readonly cut: Statement;
}

/** @param textOf gets the first parameter that is free for the report */
const reportOf = (name: string, textOf: (rows: Rows, free: string) => string): Report => ({
  whole: { name, text: textOf(ofBlocks, '$3') },
  cut: { name: `${name}_cut`, text: textOf(ofAllLevels, '$5') },
});

const AS_OF = {
  name: 'analytics_as_of',
  text: `select coalesce(min(marked_at), now()) as as_of from analytics_marks where site_id = $1`,
};

const SALES = reportOf(
  'analytics_sales',
  (rows) => `select period, currency, ${sums(...SALES_SUMS)}
    from ${rows('analytics_sales', ['currency', ...SALES_SUMS])} sales group by 1, 2`,
);

const funnel = (rows: Rows, of: string): string => `select period, ${sums(...ENROLLMENT_SUMS)}
  from ${rows('analytics_enrollments', ENROLLMENT_SUMS, of)} enrolled group by 1`;
const FUNNEL = reportOf('analytics_funnel', (rows) => funnel(rows, 'course_id is null'));
const FUNNEL_OF_COURSE = reportOf('analytics_funnel_of_course', (rows, free) => funnel(rows, `course_id = ${free}`));

const FIRST_MONTH = `date_trunc('month', ${FIRST_EDGE}, 'UTC')`;
const MEMBERSHIPS = reportOf(
  'analytics_memberships',
  (rows) => `select period, currency, ${sums(...MEMBERSHIP_SUMS)}
    from (
      select 0 as period, currency, ${MEMBERSHIP_SUMS.join(', ')}
      from analytics_membership_months where site_id = $1 and month < ${FIRST_MONTH}
      union all
      select * from ${rows('analytics_memberships', ['currency', ...MEMBERSHIP_SUMS], 'true', FIRST_MONTH)} counted
    ) all_of_them group by 1, 2`,
);

const COHORTS = {
  name: 'analytics_cohorts',
  text: `select width_bucket(started, $2::timestamptz[]) as started, width_bucket(ended, $2::timestamptz[]) as ended,
      ${sums('subscriptions_count')}
    from analytics_cohorts
    where site_id = $1 and started >= ($2::timestamptz[])[1] and started < ($2::timestamptz[])[cardinality($2)]
    group by 1, 2`,
};

const ATTENDANCE = reportOf(
  'analytics_attendance',
  (rows) => `select period, ${sums(...ATTENDANCE_SUMS)}
    from ${rows('analytics_attendance', ATTENDANCE_SUMS)} attendance group by 1`,
);

/** Returns the times of a level inside of which an edge lies. */
function cutBy(edges: readonly Date[], { minutes }: Level): string[] {
  const ms = minutes * 60_000;
  const cut = edges.map((edge) => edge.getTime()).filter((edge) => edge % ms !== 0);
  return [...new Set(cut.map((edge) => new Date(edge - (edge % ms)).toISOString()))];
}

/** The instants at which periods begin, and the end of the last one, as the statements of all sections take them. */
export class Edges {
  /** An array of PostgreSQL. */
  readonly instants: string;
  readonly cutBlocks: readonly string[];
  readonly cutHours: readonly string[];

  constructor(instants: readonly Date[]) {
    this.instants = arrayOf(instants);
    this.cutBlocks = cutBy(instants, BLOCKS);
    this.cutHours = cutBy(instants, HOURS);
  }
}

/** Reads rollups. */
@Injectable()
export class AnalyticsRepository {
  constructor(private readonly sql: Sql) {}

  /** The instant up to which the rollups have all changes. Read it before the figures. */
  async asOf({ site_id }: OfSite): Promise<Date> {
    const [row] = await this.sql.query<{ as_of: Date }>(AS_OF, [site_id]);
    return row?.as_of ?? new Date();
  }

  sales(site: OfSite, edges: Edges): Promise<SalesRow[]> {
    return this.#read(SALES, site, edges);
  }

  funnel(site: OfSite, edges: Edges, course_id: string | undefined): Promise<FunnelRow[]> {
    if (course_id === undefined) return this.#read(FUNNEL, site, edges);
    return this.#read(FUNNEL_OF_COURSE, site, edges, course_id);
  }

  memberships(site: OfSite, edges: Edges): Promise<MembershipRow[]> {
    return this.#read(MEMBERSHIPS, site, edges);
  }

  async cohorts({ site_id }: OfSite, months: readonly Date[]): Promise<CohortRow[]> {
    return this.sql.query<CohortRow>(COHORTS, [site_id, arrayOf(months)]);
  }

  attendance(site: OfSite, edges: Edges): Promise<AttendanceRow[]> {
    return this.#read(ATTENDANCE, site, edges);
  }

  #read<Row extends object>(
    { whole, cut }: Report,
    { site_id }: OfSite,
    { instants, cutBlocks, cutHours }: Edges,
    ...more: readonly string[]
  ): Promise<Row[]> {
    if (cutBlocks.length === 0) return this.sql.query<Row>(whole, [site_id, instants, ...more]);
    return this.sql.query<Row>(cut, [site_id, instants, cutBlocks, cutHours, ...more]);
  }
}

const arrayOf = (instants: readonly Date[]): string => `{${instants.map((instant) => instant.toISOString()).join()}}`;
