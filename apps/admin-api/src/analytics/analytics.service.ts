import type { Caller } from '@lyceum/collections';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { SchoolService } from '#src/school/school.service.js';
import { AnalyticsRepository, Edges } from './analytics.repository.js';
import { REPORTS } from './analytics.schema.js';
import type { AnalyticsQuery, ReportName } from './analytics.schema.js';
import { attendanceOf, cohortsOf, funnelOf, membershipsOf, salesOf } from './figures.policy.js';
import type { Section } from './figures.policy.js';
import { previousOf, rangeOf } from './periods.policy.js';
import type { Naming, PreviousRange, Range } from './periods.policy.js';

type SectionName = (typeof REPORTS)[ReportName][number];
type Sections = readonly (readonly [SectionName, Section<unknown>])[];
type Asked = Pick<AnalyticsQuery, 'course_id'>;

const pick = (sections: Sections, of: (section: Section<unknown>) => unknown): object =>
  Object.fromEntries(sections.map(([one, section]) => [one, of(section)]));

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
    requireAdministrator(caller, 'see its analytics');
    const timezone = query.timezone ?? (await this.schools.get(caller)).timezone ?? 'UTC';
    const range = rangeOf(query, timezone, new Date(), naming);
    require(range);
    // Before the figures: later changes may be among them, and earlier ones are.
    const as_of = iso(await this.repository.asOf(caller));
    const [sections, previous, cohorts] = await Promise.all([
      this.#sections(caller, name, range, query),
      query.compare === 'previous_period' ? this.#previous(caller, name, previousOf(range), query) : undefined,
      name === 'memberships' ? this.repository.cohorts(caller, range.monthEdges) : undefined,
    ]);
    const { from, to, granularity, periods, months } = range;
    return {
      from,
      to,
      granularity,
      timezone,
      as_of,
      totals: pick(sections, ({ totals }) => totals),
      ...(previous && { previous }),
      periods: periods.map((period, index) => ({ ...period, ...pick(sections, (section) => section.periods[index]) })),
      ...(cohorts && { cohorts: cohortsOf(cohorts, months) }),
    };
  }

  async #previous(caller: Caller, name: ReportName, range: PreviousRange, query: Asked): Promise<object> {
    const sections = await this.#sections(caller, name, range, query);
    return { from: range.from, to: range.to, totals: pick(sections, ({ totals }) => totals) };
  }

  #sections(caller: Caller, name: ReportName, range: Pick<Range, 'edges'>, query: Asked): Promise<Sections> {
    const edges = new Edges(range.edges);
    const periods = range.edges.length - 1;
    return Promise.all(
      REPORTS[name].map(async (one) => [one, await this.#section(caller, one, edges, periods, query)] as const),
    );
  }

  async #section(
    caller: Caller,
    name: SectionName,
    edges: Edges,
    length: number,
    { course_id }: Asked,
  ): Promise<Section<unknown>> {
    switch (name) {
      case 'sales':
        return salesOf(await this.repository.sales(caller, edges), length);
      case 'funnel':
        return funnelOf(await this.repository.funnel(caller, edges, course_id), length);
      case 'memberships':
        return membershipsOf(await this.repository.memberships(caller, edges), length);
      case 'attendance':
        return attendanceOf(await this.repository.attendance(caller, edges), length);
    }
  }
}
