import type { Caller } from '@lyceum/collections';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { SchoolService } from '#src/school/school.service.js';
import { AnalyticsRepository, Edges } from './analytics.repository.js';
import { REPORTS } from './analytics.schema.js';
import type { AnalyticsQuery, ReportName } from './analytics.schema.js';
import { attendanceOf, cohortsOf, comparedOf, funnelOf, membershipsOf, salesOf } from './figures.policy.js';
import type { Section } from './figures.policy.js';
import { previousOf, rangeOf } from './periods.policy.js';
import type { AskedRange, Naming, PreviousRange, Range } from './periods.policy.js';

type SectionName = (typeof REPORTS)[ReportName][number];

/** A section of a range, and the totals of the range before. */
interface Compared {
  readonly name: SectionName;
  readonly section: Section<unknown>;
  readonly previous: unknown;
}

interface ComparedRanges {
  readonly range: Range;
  readonly previous: PreviousRange | undefined;
  /** Edges of both: the range before is a period in front of the others. */
  readonly edges: Edges;
}

const pick = (sections: readonly Compared[], of: (one: Compared) => unknown): object =>
  Object.fromEntries(sections.map((one) => [one.name, of(one)]));

/** Figures of a site from its rollups, for owners and admins. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly repository: AnalyticsRepository,
    private readonly schools: SchoolService,
  ) {}

  /** @param require checks the range before anything is read */
  async report(
    caller: Caller,
    name: ReportName,
    query: AnalyticsQuery,
    naming: Naming,
    require: (range: Range) => void = () => undefined,
  ): Promise<object> {
    const range = await this.range(caller, query, naming);
    require(range);
    // Before the figures: later changes may be among them, and earlier ones are.
    const as_of = iso(await this.repository.asOf(caller));
    const previous = query.compare === 'previous_period' ? previousOf(range) : undefined;
    const edges = new Edges(previous === undefined ? range.edges : [...previous.edges, ...range.edges.slice(1)]);
    const [sections, cohorts] = await Promise.all([
      Promise.all(REPORTS[name].map((one) => this.#section(caller, one, { range, previous, edges }, query))),
      name === 'memberships' ? this.repository.cohorts(caller, range.monthEdges) : undefined,
    ]);
    const { from, to, granularity, timezone, periods, months } = range;
    return {
      from,
      to,
      granularity,
      timezone,
      as_of,
      totals: pick(sections, ({ section }) => section.totals),
      ...(previous && {
        previous: { from: previous.from, to: previous.to, totals: pick(sections, (one) => one.previous) },
      }),
      periods: periods.map((period, index) => ({
        ...period,
        ...pick(sections, ({ section }) => section.periods[index]),
      })),
      ...(cohorts && { cohorts: cohortsOf(cohorts, months) }),
    };
  }

  /** The range in the time zone of the school, unless the query names one. @throws `forbidden` */
  async range(
    caller: Caller,
    query: AskedRange & Pick<AnalyticsQuery, 'timezone'>,
    naming: Naming,
    tx?: EntityManager,
  ): Promise<Range> {
    requireAdministrator(caller, 'see its analytics');
    const timezone = query.timezone ?? (await this.schools.timeZone(caller, tx));
    return rangeOf(query, timezone, new Date(), naming);
  }

  /** Reads both ranges with one statement. */
  async #section(
    caller: Caller,
    name: SectionName,
    { range, previous, edges }: ComparedRanges,
    { course_id }: Pick<AnalyticsQuery, 'course_id'>,
  ): Promise<Compared> {
    const compared = <R extends { readonly period: number }>(
      all: readonly R[],
      of: (rows: readonly R[], periods: number) => Section<unknown>,
    ): Compared => {
      const { length } = range.periods;
      if (previous === undefined) return { name, section: of(all, length), previous };
      const both = comparedOf(all);
      return { name, section: of(both.rows, length), previous: of(both.previous, 1).totals };
    };
    switch (name) {
      case 'sales':
        return compared(await this.repository.sales(caller, edges), salesOf);
      case 'funnel':
        return compared(await this.repository.funnel(caller, edges, course_id), funnelOf);
      case 'memberships':
        return compared(await this.repository.memberships(caller, edges), membershipsOf);
      case 'attendance':
        return compared(await this.repository.attendance(caller, edges), attendanceOf);
    }
  }
}
